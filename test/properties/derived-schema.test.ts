import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DerivedSchema, deriveSchema } from '../../routers/content/data/derive-schema.ts'
import type { Json } from '../../routers/content/data/json.ts'
import { jsonValue } from './values.ts'

/** A minimal JSON Schema validator, written from the specification and independent of the tested code. */
const isValid = (value: Json, schema: DerivedSchema): boolean => {
  if ('anyOf' in schema) return schema.anyOf.some(option => isValid(value, option))
  const { type, items, properties } = schema
  if (Array.isArray(value))
    return type === 'array' && (!items || value.every(element => isValid(element, items)))
  if (value === null) return type === 'null'
  if (typeof value !== 'object') return type === typeof value
  return (
    type === 'object' &&
    Object.entries(properties ?? {}).every(
      ([key, member]) => !Object.hasOwn(value, key) || isValid(value[key]!, member),
    )
  )
}

/** Returns a schema and all schemas inside it. */
const all = (schema: DerivedSchema): DerivedSchema[] => [
  schema,
  ...('anyOf' in schema
    ? schema.anyOf.flatMap(all)
    : [...(schema.items ? all(schema.items) : []), ...Object.values(schema.properties ?? {}).flatMap(all)]),
]

/** Returns the keys of all objects in a value. */
const keysIn = (value: Json): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : [
        ...(Array.isArray(value) ? [] : Object.keys(value)),
        ...Object.values(value).flatMap(member => keysIn(member)),
      ]

const propertiesIn = (schema: DerivedSchema) =>
  all(schema).flatMap(part => ('anyOf' in part ? [] : Object.keys(part.properties ?? {})))

describe('the schema derived from any value', () => {
  it('accepts the value', () => {
    fc.assert(
      fc.property(jsonValue, value => {
        expect(isValid(value, deriveSchema(value))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('is a valid JSON Schema of draft 2020-12', () => {
    const ajv = new Ajv2020()
    fc.assert(
      fc.property(jsonValue, value => {
        expect(ajv.validateSchema(deriveSchema(value))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('uses only type, properties, items and anyOf', () => {
    fc.assert(
      fc.property(jsonValue, value => {
        const words = all(deriveSchema(value)).map(part => Object.keys(part).join())
        const known = new Set(['anyOf', 'type', 'type,properties', 'type,items'])
        expect(words.filter(word => !known.has(word))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('has anyOf only for different types', () => {
    fc.assert(
      fc.property(jsonValue, value => {
        for (const { anyOf = [] } of all(deriveSchema(value)) as { anyOf?: { type?: string }[] }[]) {
          const types = new Set(anyOf.map(({ type }) => type))
          expect(types.size).toBe(anyOf.length)
          expect(types.size).not.toBe(1)
          expect([...types]).not.toContain(undefined)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('has exactly the keys that occur in the value', () => {
    fc.assert(
      fc.property(jsonValue, value => {
        expect(new Set(propertiesIn(deriveSchema(value)))).toEqual(new Set(keysIn(value)))
      }),
      { numRuns: 500 },
    )
  })

  it('rejects values of other types', () => {
    fc.assert(
      fc.property(fc.array(jsonValue, { minLength: 1, maxLength: 4 }), jsonValue, (elements, different) => {
        const kind = (value: Json) =>
          value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
        fc.pre(elements.every(element => kind(element) !== kind(different)))
        expect(isValid([different], deriveSchema(elements))).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})
