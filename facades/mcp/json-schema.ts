import { z } from 'zod'

/** JSON Schema of an object, as tools declare their input and output. */
export interface ObjectSchema {
  [keyword: string]: unknown
  type: 'object'
  properties: Record<string, Node>
  required?: string[]
}

type Node = Record<string, unknown>

/**
 * The JSON Schema of a Zod object in as few words as it can be said: nothing is referred to by name, because not
 * every client follows references, and examples are left out, because every word of it is read by a model.
 *
 * @param side whether it describes what callers send or what they get
 * @param omitted fields that callers neither send nor see
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
  const { properties, required, ...rest } = shortened(root, $defs as Record<string, Node>) as Node &
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

/** What a deletion answers, which REST says with a status alone (decision 41). */
export const DELETED: ObjectSchema = {
  type: 'object',
  properties: { deleted: { type: 'boolean', const: true } },
  required: ['deleted'],
  additionalProperties: false,
}

const shortened = (node: Node, definitions: Record<string, Node>): Node => {
  const { $ref, id: _id, examples: _examples, ...own } = node
  if (typeof $ref === 'string')
    return shortened({ ...definitions[$ref.replace('#/$defs/', '')], ...own }, definitions)
  const result = withoutAbsoluteBounds(own)
  const each = (value: unknown) => shortened(value as Node, definitions)
  if (own.properties)
    result.properties = Object.fromEntries(
      Object.entries(own.properties).map(([name, property]) => [name, each(property)]),
    )
  if (own.items) result.items = each(own.items)
  if (Array.isArray(own.anyOf)) result.anyOf = own.anyOf.map(each)
  return withPlainType(result)
}

/** Zod bounds every integer by what a double can count; that says nothing of the field. */
const withoutAbsoluteBounds = ({ minimum, maximum, ...rest }: Node): Node => ({
  ...rest,
  ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
})

/** Every type of JSON. */
const ANYTHING: Node[] = ['object', 'array', 'string', 'number', 'boolean', 'null'].map(type => ({ type }))

/**
 * A schema that says of what type a value is in the way that most clients follow: one type, or a choice of schemas
 * with one each. Some clients take no list of types, and take a schema without any for a string.
 */
const withPlainType = (node: Node): Node => {
  const { type, description, ...rest } = node
  const about = description === undefined ? {} : { description }
  if (Array.isArray(type))
    return { ...about, anyOf: type.map(one => (one === 'null' ? { type: one } : { type: one, ...rest })) }
  const saysNothing = type === undefined && Object.keys(rest).length === 0
  return saysNothing ? { ...about, anyOf: ANYTHING } : node
}
