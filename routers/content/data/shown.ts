import { deriveSchema } from './derive-schema.ts'
import type { Json } from './json.ts'
import { shapeWarnings } from './shape-warnings.ts'

/** Characters of a value from which looking through it is felt by others. */
export const LARGE = 4096

/** A row as callers see it, with what is derived from its value. */
export const shown = (row: {
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
