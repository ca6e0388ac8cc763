import { LRUCache } from 'lru-cache'
import { type DerivedSchema, deriveSchema } from './derive-schema.ts'
import type { Json } from './json.ts'
import { type ShapeWarning, shapeWarnings } from './shape-warnings.ts'

/** A value with more characters than this is long. Yield to the event loop before you process a long value. */
export const LONG_VALUE = 4096

/** The schema and warnings derived from a value. */
interface Derived {
  schema: DerivedSchema
  warnings: ShapeWarning[]
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
