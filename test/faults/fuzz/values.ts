import type { Random } from './random.ts'

/** The keywords of JSON Schema that the generator follows. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema | false
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  examples?: unknown[]
}

/** Ids and names of existing resources, by the name of the field that accepts them. */
export type Known = Readonly<Record<string, readonly string[]>>

const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}

const STRINGS = [
  '',
  ' ',
  'x',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u2066',
  '\u2028',
  '\u0008\r\n\t',
  '👩‍👩‍👧‍👦',
  'e\u0301'.repeat(200),
  '＜script＞',
  '../../../etc/passwd',
  '%00%2e%2e%2f',
  "'; drop table pages; --",
  '{{ 7 | times: 7 }}',
  "{% include 'x' %}",
  '{% for a in (1..9) %}{% endfor',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'NaN',
  '9007199254740993',
  '1e309',
  'true',
  'null',
  '2026-13-45T99:99:99.999Z',
  '0000-00-00T00:00:00.000Z',
  'http://[::1',
  'https://user:pw@example.test:99999/',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
  'a'.repeat(64),
  'a'.repeat(65_600),
  '='.repeat(1000),
]

const NUMBERS = [0, -0, 1, -1, 0.1, 1e308, 5e-324, 2 ** 31, 2 ** 31 - 1, -(2 ** 31) - 1, 2 ** 53, -(2 ** 63)]

/** Returns a hostile value, for a field of any type. */
export const hostile = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => random.pick(STRINGS),
    () => random.pick(STRINGS),
    () => random.pick(NUMBERS),
    () => null,
    () => random.chance(0.5),
    () => ({}),
    () => [],
    () => nested(random.pick([20, 65, 900, 1200]), inner => [inner]),
    () => nested(random.pick([20, 65, 900]), inner => ({ a: inner })),
    () => Array.from({ length: 1000 }, (_, index) => index),
    () => Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, null])),
    () => JSON.parse('{"__proto__":{"admin":true},"constructor":1,"toString":null}') as unknown,
    () => [random.pick(STRINGS), random.pick(NUMBERS), null, {}],
  ])()

export const hostileString = (random: Random): string => random.pick(STRINGS)

const WORDS = ['beans', 'tomato', 'soil', 'water', 'leaf', 'root', 'garden']

const word = (random: Random) => `${random.pick(WORDS)}-${random.int(100_000)}`

/**
 * Returns a function that generates values for schemas.
 *
 * @param root the document that `$ref` points into
 */
export const valueGenerator = (root: unknown, known: Known, random: Random) => {
  const follow = (pointer: string) =>
    pointer
      .slice(2)
      .split('/')
      .map(name => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((node, name) => (node as Record<string, unknown>)[name], root) as Schema

  /** Returns a value that usually fits the schema. Patterns are ignored. */
  const fitting = (schema: Schema, name = '', depth = 0): unknown => {
    if (schema.$ref) return fitting(follow(schema.$ref), name, depth)
    const values = known[name]
    if (values && values.length > 0 && random.chance(0.9)) return random.pick(values)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return random.pick(schema.enum)
    if (schema.examples?.length && random.chance(0.3)) return random.pick(schema.examples)
    const options = schema.anyOf ?? schema.oneOf
    if (options) return fitting(random.pick(options), name, depth)
    if (schema.allOf)
      return Object.assign({}, ...schema.allOf.map(part => fitting(part, name, depth))) as unknown
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
    if (type === 'object' || schema.properties) {
      const required = new Set(schema.required)
      const fields = Object.entries(schema.properties ?? {}).filter(
        ([field]) => required.has(field) || random.chance(0.5),
      )
      return Object.fromEntries(fields.map(([field, part]) => [field, fitting(part, field, depth + 1)]))
    }
    if (type === 'array') {
      const length = Math.max(schema.minItems ?? 0, random.int(Math.min(schema.maxItems ?? 4, 4) + 1))
      return Array.from({ length }, () => fitting(schema.items || {}, '', depth + 1))
    }
    if (type === 'integer' || type === 'number') {
      const { minimum = 0, maximum = minimum + 1000 } = schema
      return random.pick([minimum, maximum, minimum + random.int(Math.min(maximum - minimum, 1e6) + 1)])
    }
    if (type === 'boolean') return random.chance(0.5)
    if (type === 'null') return null
    if (type === 'string') {
      const { minLength = 0, maxLength = 200 } = schema
      if (random.chance(0.1)) return 'x'.repeat(Math.min(maxLength + random.int(2), 70_000))
      return word(random).padEnd(minLength, 'x').slice(0, maxLength)
    }
    return depth > 3 ? 1 : random.pick([1, 'text', null, [1], { title: 'x' }])
  }

  /** Returns a value that fits the schema except in one place. */
  const nearlyFitting = (schema: Schema): unknown => {
    const value = fitting(schema)
    if (typeof value !== 'object' || value === null) return hostile(random)
    const fields = Object.keys(value)
    const copy: Record<string, unknown> = { ...value }
    const field = fields.length > 0 ? random.pick(fields) : 'unknown'
    const change = random.int(4)
    if (change === 0) delete copy[field]
    else if (change === 1) copy[`unknown ${hostileString(random).slice(0, 50)}`] = hostile(random)
    else copy[field] = hostile(random)
    return copy
  }

  return {
    value: (schema: Schema): unknown =>
      random.chance(0.45) ? fitting(schema) : random.chance(0.85) ? nearlyFitting(schema) : hostile(random),
  }
}

/** Converts a value to JSON, sometimes with a syntax error. */
export const jsonText = (value: unknown, random: Random): string | Buffer => {
  const text = JSON.stringify(value) ?? ''
  if (random.chance(0.92)) return text
  return random.pick<() => string | Buffer>([
    () => text.slice(0, random.int(text.length + 1)),
    () => `\ufeff${text}`,
    () => `${text}${text}`,
    () => text.replace(/\d+/, '1e400'),
    () => text.replace(/\d+/, '9007199254740993'),
    () => text.replace(/"/, "'"),
    () => text.replace('{', '{"a":1,"a":2,'),
    () => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]),
    () => '['.repeat(20_000),
    () => '',
    () => ' \n\t ',
  ])()
}
