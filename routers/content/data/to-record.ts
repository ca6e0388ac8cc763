import { deriveSchema } from './derive-schema.ts'
import type { Json } from './json.ts'
import { shapeWarnings } from './shape-warnings.ts'

/** Length in characters above which processing a value should yield to the event loop first. */
export const LONG_VALUE = 4096

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
    schema: deriveSchema(value),
    warnings: shapeWarnings(value),
  }
}
