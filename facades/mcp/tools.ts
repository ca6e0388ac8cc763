import type { Tool as ToolDefinition } from '@modelcontextprotocol/sdk/types.js'
import type { Operation } from '../operations/list.ts'
import { DELETED, type ObjectSchema, objectSchema } from './json-schema.ts'

/** An operation as agents are offered it. */
export interface Tool {
  operation: Operation
  definition: ToolDefinition
}

/**
 * The operations that are offered as tools, by name and in the order in which they are declared.
 *
 * @param settled input fields that the credential answers, so that tools have no such argument (decision 42)
 * @throws when two operations have the same name as tools, so that the process does not start with them
 */
export const toolsOf = (operations: Operation[], settled: readonly string[]): ReadonlyMap<string, Tool> => {
  const tools = new Map<string, Tool>()
  for (const operation of operations) {
    const { tool, openapi, status } = operation.meta
    if (!tool) continue
    if (tools.has(tool.name)) throw new Error(`Two operations are the tool ${tool.name}`)
    const definition: ToolDefinition = {
      name: tool.name,
      ...(openapi?.summary === undefined ? {} : { title: openapi.summary }),
      description: tool.description,
      inputSchema: inputSchemaOf(operation, settled),
      outputSchema: status === 204 ? DELETED : objectSchema(operation.output, 'output'),
      annotations: hintsOf(operation),
    }
    tools.set(tool.name, { operation, definition })
  }
  return tools
}

/** Where a body needs at least one field, arguments need one beside those that they always need. */
const inputSchemaOf = ({ input }: Operation, settled: readonly string[]): ObjectSchema => {
  const schema = objectSchema(input, 'input', settled)
  const { minProperties, required = [] } = schema
  return typeof minProperties === 'number'
    ? { ...schema, minProperties: minProperties + required.length }
    : schema
}

/** What clients decide by whether to ask the person first. All are given, because what they stand for unless given is the worst. */
const hintsOf = ({ type, method, meta: { tool } }: Operation) => ({
  readOnlyHint: type === 'query',
  // A creation only adds. Every other write replaces or removes something.
  destructiveHint: type === 'mutation' && method !== 'POST',
  idempotentHint: method !== 'POST' && tool?.isIdempotent !== false,
  openWorldHint: tool?.isOpenWorld === true,
})
