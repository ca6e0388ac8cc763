import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Json, typeOf } from '../../routers/content/data/json.ts'
import { shapeWarnings } from '../../routers/content/data/shape-warnings.ts'
import { jsonValue } from './values.ts'

/** Follows a JSON Pointer and returns the parent and the value there. */
const follow = (value: Json, pointer: string) => {
  let holder: Json | undefined
  let at: Json | undefined = value
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    holder = at
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? (at as Record<string, Json>)[key]
        : undefined
  }
  return { holder, at }
}

/** Describes the shape of an element: its type, and the keys and types of an object. */
const shapeOf = (value: Json) =>
  typeOf(value) === 'object'
    ? JSON.stringify(
        Object.entries(value as object)
          .map(([key, member]) => [key, typeOf(member as Json)])
          .toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
      )
    : typeOf(value)

describe('the shape warnings of any value', () => {
  it('point to elements of arrays, and are at most a hundred', () => {
    fc.assert(
      fc.property(jsonValue, value => {
        const warnings = shapeWarnings(value)
        expect(warnings.length).toBeLessThanOrEqual(100)
        for (const { path } of warnings) {
          const { holder, at } = follow(value, path)
          expect(Array.isArray(holder)).toBe(true)
          expect(at).not.toBeUndefined()
        }
      }),
      { numRuns: 1500 },
    )
  })

  it('are correct: an element with a warning differs from a sibling without one', () => {
    fc.assert(
      fc.property(fc.array(jsonValue, { maxLength: 8 }), value => {
        const warned = new Set(
          shapeWarnings(value)
            .filter(({ path }) => /^\/\d+$/.test(path))
            .map(({ path }) => Number(path.slice(1))),
        )
        const looks = value.map(shapeOf)
        for (const index of warned)
          expect(value.some((_, other) => !warned.has(other) && looks[other] !== looks[index])).toBe(true)
        // Elements of the same shape have the same warnings.
        for (const [index, look] of looks.entries())
          for (const [other, otherLook] of looks.entries())
            expect(look !== otherLook || warned.has(index) === warned.has(other)).toBe(true)
      }),
      { numRuns: 1500 },
    )
  })

  it('are given for every element that does not have the most common shape, if the value has no nulls', () => {
    const plain = fc.oneof(
      fc.constantFrom<Json>(1, 'x', true),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom<Json>(1, 'x', [], {}), {
        noNullPrototype: true,
      }),
    )
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 12 }), value => {
        const groups = [...Map.groupBy(value.keys(), index => shapeOf(value[index]!)).values()]
        const most = Math.max(...groups.map(group => group.length))
        const common = new Set(groups.find(group => group.length === most))
        const warned = new Set(shapeWarnings(value).map(({ path }) => Number(path.split('/')[1])))
        expect(warned).toEqual(new Set([...value.keys()].filter(index => !common.has(index))))
      }),
      { numRuns: 1000 },
    )
  })

  it('are empty when all elements have the same shape', () => {
    fc.assert(
      fc.property(fc.constantFrom<Json>(1, 'x', null, true), fc.nat(30), (leaf, length) => {
        const element = { a: leaf, b: [leaf, leaf], c: { d: leaf } }
        expect(shapeWarnings(Array.from({ length }, () => element))).toEqual([])
      }),
    )
  })

  it('do not depend on the order of keys', () => {
    const objects = fc.array(
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom<Json>(1, 'x', null), {
        noNullPrototype: true,
      }),
      { maxLength: 8 },
    )
    const keysReversed = (value: Record<string, Json>) =>
      Object.fromEntries(Object.entries(value).toReversed())
    const places = (value: Json) => shapeWarnings(value).map(({ path, kind }) => `${path} ${kind}`)
    fc.assert(
      fc.property(objects, value => {
        expect(places(value.map(keysReversed))).toEqual(places(value))
      }),
      { numRuns: 500 },
    )
  })
})
