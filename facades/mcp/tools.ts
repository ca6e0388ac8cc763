import type { Tool as ToolDefinition } from '@modelcontextprotocol/sdk/types.js'
import type { Operation } from '../operations/list.ts'
import { DELETED, type ObjectSchema, objectSchema } from './json-schema.ts'

/** An operation that is offered as a tool. */
export interface Tool {
  operation: Operation
  definition: ToolDefinition
}

/**
 * Returns the operations that are tools, by tool name, in the order of their declarations.
 *
 * @param fixedFields input fields that the credential fixes, so that they are no arguments
 * @throws when two operations share a tool name, which keeps the process from starting
 */
export const toolsOf = (
  operations: Operation[],
  fixedFields: readonly string[],
): ReadonlyMap<string, Tool> => {
  const tools = new Map<string, Tool>()
  for (const operation of operations) {
    const { tool, openapi, status } = operation.meta
    if (!tool) continue
    if (tools.has(tool.name)) throw new Error(`Two operations declare the tool ${tool.name}`)
    const definition: ToolDefinition = {
      name: tool.name,
      ...(openapi?.summary === undefined ? {} : { title: openapi.summary }),
      description: tool.description,
      inputSchema: inputSchemaOf(operation, fixedFields),
      outputSchema: status === 204 ? DELETED : objectSchema(operation.output, 'output'),
      annotations: hintsOf(operation),
    }
    tools.set(tool.name, { operation, definition })
  }
  return tools
}

/** If a REST body needs at least one field, the arguments need at least one field in addition to the required ones. */
const inputSchemaOf = ({ input }: Operation, fixedFields: readonly string[]): ObjectSchema => {
  const schema = objectSchema(input, 'input', fixedFields)
  const { minProperties, required = [] } = schema
  return typeof minProperties === 'number'
    ? { ...schema, minProperties: minProperties + required.length }
    : schema
}

/** Hints by which clients decide whether to ask the person first. All are set: clients assume the worst for missing ones. */
const hintsOf = ({ type, method, meta: { tool } }: Operation) => ({
  readOnlyHint: type === 'query',
  // A creation only adds; every other write replaces or removes something.
  destructiveHint: type === 'mutation' && method !== 'POST',
  idempotentHint: method !== 'POST' && tool?.isIdempotent !== false,
  openWorldHint: tool?.isOpenWorld === true,
})
