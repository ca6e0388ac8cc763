import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { patterned, subdomain, text, timestamp } from '../../api/fields.ts'
import { limits, rules } from '../../api/rules.ts'
import { type DerivedSchema, deriveSchema } from './derive-schema.ts'
import { containsInfinity, depthOf, type Json, sizeOf } from './json.ts'
import { shapeWarnings } from './shape-warnings.ts'

const { data: rule } = rules

const KEY_MESSAGE = 'must be 1 to 60 lowercase letters, digits and hyphens, with no hyphen at either end'
const KEY_META = {
  pattern: rule.key_pattern,
  minLength: 1,
  maxLength: 60,
  description: 'The key of the record',
  examples: ['weekly-todo'],
}

/** The key in a write. */
export const newKey = patterned(rule.key_pattern, KEY_MESSAGE).meta(KEY_META)

const KEY = new RegExp(rule.key_pattern)

/** The key of a record to read or delete. A malformed key matches no record. */
export const key = z
  .string()
  .overwrite(value => (KEY.test(value) ? value : ''))
  .meta(KEY_META)

const description = text({ max: limits.dataDescription }).nullable()

/** The value in a write. */
export const value = z
  .unknown()
  .superRefine((value, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message })
    if (value === undefined) return refuse('is required')
    const isTooDeep = depthOf(value, rule.max_depth) > rule.max_depth
    if (isTooDeep) refuse(`must not be nested deeper than ${rule.max_depth} levels`)
    if (containsInfinity(value)) refuse('must not contain a number outside the range of a double')
    // The built-in function is faster, but overflows the stack on deep values.
    const size = isTooDeep ? sizeOf(value) : Buffer.byteLength(JSON.stringify(value))
    if (size > rule.value_max_bytes)
      refuse(`must be at most ${rule.value_max_bytes} bytes as compact JSON, but is ${size}`)
  })
  .meta({
    description: `Any JSON, at most ${rule.value_max_bytes} bytes as compact JSON and ${rule.max_depth} levels deep. Send the JSON itself: a string that contains JSON is stored as a string`,
    examples: [{ title: 'Open day', places: 12 }],
  })

export const ShapeWarning = z
  .object({
    path: z.string().meta({ description: 'JSON Pointer of the array element', examples: ['/events/2'] }),
    kind: z.enum(['missing_keys', 'extra_keys', 'type_mismatch']),
    message: z.string().meta({ examples: ['lacks "title", which most elements have'] }),
  })
  .meta({ id: 'ShapeWarning' })

export const DataRecord = z
  .object({
    key: z.string().meta({ examples: ['weekly-todo'] }),
    value: z.unknown().meta({ description: 'Any JSON', examples: [{ title: 'Open day', places: 12 }] }),
    description: z
      .string()
      .nullable()
      .meta({ description: 'Shown in the dashboard', examples: ['What is on this week'] }),
    version: z.int().meta({ description: '1 for a new record, raised by 1 with each write', examples: [3] }),
    updated_at: timestamp,
    schema: z.unknown().meta({
      type: 'object',
      additionalProperties: true,
      description: 'A loose JSON Schema of `value` with types and keys, derived on read',
      examples: [{ type: 'object', properties: { title: { type: 'string' }, places: { type: 'number' } } }],
    }),
    warnings: z.array(ShapeWarning).meta({
      description: 'Array elements that differ from most others in their array. They are saved anyway',
      examples: [[]],
    }),
  })
  .meta({ id: 'DataRecord' })

export const DataWrite = z
  .strictObject({
    subdomain,
    key: newKey,
    value,
    description: description
      .meta({ description: 'Shown to people in the dashboard; unchanged when omitted' })
      .optional(),
    // Does not use z.int(), which refuses integers above 2^53.
    version: z
      .number({ error: issue => (issue.input === undefined ? 'is required' : 'must be an integer') })
      .refine(Number.isInteger, { error: 'must be an integer' })
      .meta({
        type: 'integer',
        description:
          'Write only if this is still the current version; omit it to write regardless of the version',
        examples: [3],
      })
      .optional(),
  })
  .meta({ examples: [{ value: { title: 'Open day', places: 12 }, description: 'What is on this week' }] })

/** A new record: its key must be free. */
export const NewRecord = z.strictObject({
  subdomain,
  key: newKey,
  value,
  description: description.optional(),
})

/** A value to inspect without writing it. */
export const DataValue = z.strictObject({ subdomain, value })

/** A value with more characters than this is long. Yield to the event loop before you process a long value. */
export const LONG_VALUE = 4096

/** The schema and warnings derived from a value. */
interface Derived {
  schema: DerivedSchema
  warnings: ReturnType<typeof shapeWarnings>
}

/**
 * Caches the schemas and warnings of the most recently read values. The key of an entry is the JSON of the
 * value. Deriving a schema and its warnings takes a seventh of the time of a read. The limit is the total
 * length of the values, in characters; the cached results take up to about ten times as much memory.
 */
const remembered = new LRUCache<string, Derived>({
  maxSize: 1_048_576,
  maxEntrySize: LONG_VALUE,
  sizeCalculation: (_, json) => json.length,
})

const derive = (json: string, value: Json): Derived => {
  const known = remembered.get(json)
  if (known) return known
  const derived = { schema: deriveSchema(value), warnings: shapeWarnings(value) }
  remembered.set(json, derived)
  return derived
}

/** Converts a row to the API's record object, with the schema and warnings derived from its value. */
export const toRecord = (row: {
  key: string
  value: string
  description: string | null
  version: number
  updated_at: Date
}) => {
  const value = JSON.parse(row.value) as Json
  return {
    key: row.key,
    value,
    description: row.description,
    version: row.version,
    updated_at: row.updated_at.toISOString(),
    ...derive(row.value, value),
  }
}
