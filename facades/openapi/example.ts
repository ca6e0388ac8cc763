import { type ApiDocument, resolved, type Schema } from './document.ts'

const BY_TYPE: Record<string, unknown> = { string: 'text', integer: 1, number: 1, boolean: true, null: null }

/** Returns a value that matches a schema, built from the examples, constants and defaults in it. */
export const exampleOf = (schema: Schema, document: Pick<ApiDocument, 'components'>): unknown => {
  const full = resolved(schema, document)
  const [named] = full.examples ?? []
  if (named !== undefined) return named
  if (full.const !== undefined) return full.const
  if (full.default !== undefined) return full.default
  if (full.enum) return full.enum[0]
  if (full.anyOf?.[0]) return exampleOf(full.anyOf[0], document)
  if (full.properties)
    return Object.fromEntries(
      Object.entries(full.properties).map(([name, property]) => [name, exampleOf(property, document)]),
    )
  if (full.items) return [exampleOf(full.items, document)]
  return BY_TYPE[[full.type ?? 'string'].flat()[0]!]
}
