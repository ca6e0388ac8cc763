import { type Json, type JsonType, typeOf } from './json.ts'

/** A loose JSON Schema (draft 2020-12) with types and keys only. */
export type DerivedSchema =
  | { type: JsonType; properties?: Record<string, DerivedSchema>; items?: DerivedSchema }
  | { anyOf: DerivedSchema[] }

/** Derives the schema of a record's value. */
export const deriveSchema = (value: Json): DerivedSchema => describe([value])

/**
 * Derives one schema for all values at the same position. Values of the same type are merged; types are in the order in
 * which they first appear.
 */
const describe = (values: Json[]): DerivedSchema => {
  const byType = Map.groupBy(values, typeOf)
  const schemas = [...byType].map(([type, group]) => describeType(type, group))
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas }
}

const describeType = (type: JsonType, values: Json[]): DerivedSchema => {
  if (type === 'array') {
    const elements = (values as Json[][]).flat(1)
    return elements.length === 0 ? { type } : { type, items: describe(elements) }
  }
  if (type === 'object') {
    const members = (values as Record<string, Json>[]).flatMap(object => Object.entries(object))
    const byKey = Map.groupBy(members, ([key]) => key)
    // Use `fromEntries`: an assignment would lose a key named `__proto__`.
    const properties = Object.fromEntries(
      [...byKey].map(([key, group]) => [key, describe(group.map(([, value]) => value))]),
    )
    return { type, properties }
  }
  return { type }
}
