import { z } from 'zod'

/** JSON Schema of the input or output of a tool. */
export interface ObjectSchema {
  [keyword: string]: unknown
  type: 'object'
  properties: Record<string, Node>
  required?: string[]
}

type Node = Record<string, unknown>

/**
 * Maximum length of the examples of an argument, in characters of JSON. A schema takes up space in the model's context.
 */
const MAX_EXAMPLES = 60

/**
 * Maximum length of a name, in characters. Arguments that may be longer get no examples: they are templates,
 * which the instructions explain.
 */
const MAX_NAME = 1_000

/**
 * Converts a Zod object to a compact JSON Schema. References are inlined, because not every client follows them. Keeps
 * examples only for arguments whose form is not obvious, such as names and values. Ids and versions need no examples,
 * because other tools return them.
 *
 * @param omitted fields to leave out
 */
export const objectSchema = (
  schema: z.ZodType,
  side: 'input' | 'output',
  omitted: readonly string[] = [],
): ObjectSchema => {
  const {
    $schema: _schema,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, { io: side, unrepresentable: 'any' }) as Node
  const { properties, required, ...rest } = compact(root, $defs as Record<string, Node>, side) as Node &
    ObjectSchema
  const kept = Object.entries(properties).filter(([name]) => !omitted.includes(name))
  const needed = (required ?? []).filter(name => !omitted.includes(name))
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(kept),
    ...(needed.length > 0 ? { required: needed } : {}),
  }
}

/** Output of a deletion, for which REST returns an empty 204. */
export const DELETED: ObjectSchema = {
  type: 'object',
  properties: { deleted: { type: 'boolean', const: true } },
  required: ['deleted'],
  additionalProperties: false,
}

const compact = (node: Node, definitions: Record<string, Node>, side: 'input' | 'output'): Node => {
  const { $ref, id: _id, ...described } = node
  if (typeof $ref === 'string')
    return compact({ ...definitions[$ref.replace('#/$defs/', '')], ...described }, definitions, side)
  const { examples, ...own } = described
  const result = withoutSafeIntegerBounds(
    side === 'input' && areUseful(examples, own) ? { ...own, examples } : own,
  )
  // Zod adds a pattern of 300 characters, which only repeats what the format says.
  if (result.format === 'date-time') delete result.pattern
  const each = (value: unknown) => compact(value as Node, definitions, side)
  if (own.properties)
    result.properties = Object.fromEntries(
      Object.entries(own.properties).map(([name, property]) => [
        name,
        name.endsWith('_id') ? withoutExamples(each(property)) : each(property),
      ]),
    )
  if (own.items) result.items = each(own.items)
  if (Array.isArray(own.anyOf)) result.anyOf = own.anyOf.map(each)
  return withPlainType(result)
}

/**
 * A schema that accepts any value gets no examples: with examples, the MCP Inspector would treat it as an unfinished
 * schema.
 */
const areUseful = (examples: unknown, { type, anyOf, properties, maxLength }: Node): boolean =>
  examples !== undefined &&
  (type !== undefined || anyOf !== undefined) &&
  properties === undefined &&
  type !== 'integer' &&
  !(typeof maxLength === 'number' && maxLength > MAX_NAME) &&
  JSON.stringify(examples).length <= MAX_EXAMPLES

const withoutExamples = ({ examples: _examples, ...rest }: Node): Node => rest

/** Drops the safe-integer bounds that Zod adds to every integer. */
const withoutSafeIntegerBounds = ({ minimum, maximum, ...rest }: Node): Node => ({
  ...rest,
  ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
})

/** Every JSON type. */
const ANYTHING: Node[] = ['object', 'array', 'string', 'number', 'boolean', 'null'].map(type => ({ type }))

/**
 * Declares the type in the form that most clients support: a single type, or `anyOf` with one type each. Some clients
 * reject a list of types, and treat a schema without a type as a string.
 */
const withPlainType = (node: Node): Node => {
  const { type, description, ...rest } = node
  const about = description === undefined ? {} : { description }
  if (Array.isArray(type))
    return { ...about, anyOf: type.map(one => (one === 'null' ? { type: one } : { type: one, ...rest })) }
  const acceptsAnything = type === undefined && Object.keys(rest).length === 0
  return acceptsAnything ? { ...about, anyOf: ANYTHING } : node
}
