import type { Tool as ToolDefinition } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Precondition } from '../../routers/api/precondition.ts'
import { invalid } from '../../routers/api/problem.ts'
import type { Callable, Operation } from '../operations/list.ts'
import { DELETED, type ObjectSchema, objectSchema } from './json-schema.ts'

/** A procedure that is offered as a tool. */
export interface Tool {
  operation: Operation | Callable
  /** The argument for the version that the caller has read; absent if the tool has none. */
  base?: ReturnType<typeof baseVersionOf>
  definition: ToolDefinition
}

/**
 * Returns tools by name, in the order of their declarations.
 *
 * @param fixedFields input fields that the credential fixes; tools do not take them as arguments
 * @param hasVersions whether tools that change an item take the version that the caller has read
 * @throws when two operations share a tool name, which keeps the process from starting
 */
export const toolsOf = (
  operations: readonly (Operation | Callable)[],
  fixedFields: readonly string[],
  hasVersions: boolean,
): ReadonlyMap<string, Tool> => {
  const tools = new Map<string, Tool>()
  const described = new Map<string, string>()
  for (const operation of operations) {
    const { tool, openapi, status } = operation.meta
    if (!tool) continue
    if (tools.has(tool.name)) throw new Error(`Two operations declare the tool ${tool.name}`)
    const title = openapi?.summary ?? tool.title
    const base = hasVersions ? baseVersionOf(operation) : undefined
    const inputSchema = inputSchemaOf(operation, fixedFields)
    const definition: ToolDefinition = {
      name: tool.name,
      ...(title === undefined ? {} : { title }),
      description: tool.description,
      inputSchema: base
        ? { ...inputSchema, properties: { ...inputSchema.properties, [base.name]: base.schema } }
        : inputSchema,
      outputSchema:
        status === 204
          ? DELETED
          : withoutRepetition(objectSchema(operation.output, 'output'), tool.name, described),
      annotations: hintsOf(operation),
    }
    tools.set(tool.name, { operation, definition, base })
  }
  return tools
}

/** A field whose schema has at least this many characters is described only once per server. */
const LONG = 1_000

/**
 * Shortens the schema of a tool's result, because schemas take up space in the model's context. If the result has a
 * long field that an earlier tool describes, replaces the field's schema with a reference to the earlier tool.
 *
 * @param described maps each long field to the name of the tool that describes the field. This function adds the long
 * fields that no earlier tool describes
 */
const withoutRepetition = (
  schema: ObjectSchema,
  tool: string,
  described: Map<string, string>,
): ObjectSchema => {
  const properties = Object.entries(schema.properties).map(([name, field]) => {
    const text = JSON.stringify([name, field])
    const earlier = described.get(text)
    if (text.length < LONG) return [name, field]
    if (earlier !== undefined)
      return [name, { type: field.type, description: `The same field as in the result of ${earlier}` }]
    described.set(text, tool)
    return [name, field]
  })
  return { ...schema, properties: Object.fromEntries(properties) as ObjectSchema['properties'] }
}

/**
 * Returns the schema of a tool's arguments. Some operations need at least one field in the REST body, no matter which
 * field. The tool of such an operation needs at least one argument in addition to the required arguments.
 */
const inputSchemaOf = ({ input }: Callable, fixedFields: readonly string[]): ObjectSchema => {
  const schema = objectSchema(input, 'input', fixedFields)
  const { minProperties, required = [] } = schema
  return typeof minProperties === 'number'
    ? { ...schema, minProperties: minProperties + required.length }
    : schema
}

/**
 * Hints by which clients decide whether to ask the person first. All are set: clients assume the worst for missing
 * ones.
 */
const hintsOf = (callable: Operation | Callable) => {
  const { type, meta } = callable
  const { tool } = meta
  // A creation only adds; every other write replaces or removes something.
  const isCreation = 'method' in callable ? callable.method === 'POST' : tool?.isAdditive === true
  return {
    readOnlyHint: type === 'query',
    destructiveHint: type === 'mutation' && !isCreation,
    idempotentHint: !isCreation && tool?.isIdempotent !== false,
    // A write changes what the public sees, so it affects more than the caller.
    openWorldHint: type === 'mutation' || tool?.isOpenWorld === true,
  }
}

/** An argument for the version that the caller has read. */
interface BaseVersion {
  name: 'updated_at' | 'version'
  /** Its JSON Schema. */
  schema: Record<string, unknown>
  /** The rule, and how an error completes the sentence that begins with the argument's name. */
  rule: z.ZodType<string | number>
  message: string
}

const MEANING = 'the call is refused if someone has changed the item since'

const UPDATED_AT: BaseVersion = {
  name: 'updated_at',
  schema: {
    type: 'string',
    format: 'date-time',
    description: `The updated_at that you read: ${MEANING}`,
  },
  rule: z.string(),
  message: 'must be a string',
}

const VERSION: BaseVersion = {
  name: 'version',
  schema: { type: 'integer', description: `The version that you read: ${MEANING}` },
  rule: z.int(),
  message: 'must be an integer',
}

/**
 * The argument with which the further servers let a tool that changes or deletes an item take the version that the
 * caller has read. Operations of the APIs have no such field, because REST has `If-Match`. Undefined for all other
 * tools, and for those whose operation has a field for it.
 */
export const baseVersionOf = ({ type, meta, input }: Callable): BaseVersion | undefined => {
  if (type !== 'mutation' || !meta.openapi || !meta.conditional?.includes('If-Match')) return undefined
  const argument = 'key' in input.shape ? VERSION : UPDATED_AT
  return argument.name in input.shape ? undefined : argument
}

/**
 * Takes the version out of the arguments of a call.
 *
 * @throws `validation_failed`
 */
export const takeBaseVersion = (
  { name, rule, message }: BaseVersion,
  args: Record<string, unknown>,
): { args: Record<string, unknown>; precondition: Precondition | undefined } => {
  if (!Object.hasOwn(args, name)) return { args, precondition: undefined }
  const { [name]: given, ...rest } = args
  const base = rule.safeParse(given)
  if (!base.success) throw invalid(name, message)
  return { args: rest, precondition: { base: base.data } }
}
