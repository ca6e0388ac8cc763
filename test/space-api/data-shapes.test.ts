import { beforeAll, describe, expect, it } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()
let api: RestClient

beforeAll(async () => {
  api = (await service.createSpace()).api
})

interface Shaped {
  schema: object
  warnings: { path: string; kind: string; message: string }[]
}

const put = async (value: unknown) => (await api.put<Shaped>('/data/shape', { value })).body

const string = { type: 'string' }
const number = { type: 'number' }
const nothing = { type: 'null' }

describe('the schema of a value', () => {
  it.each<[unknown, object]>([
    [null, nothing],
    [true, { type: 'boolean' }],
    [1, number],
    [1.5, number],
    ['2026-01-01', string],
    [{}, { type: 'object', properties: {} }],
    [[], { type: 'array' }],
    [[1, 2], { type: 'array', items: number }],
    [[1, 'a', 2], { type: 'array', items: { anyOf: [number, string] } }],
    [['a', null], { type: 'array', items: { anyOf: [string, nothing] } }],
    [
      { a: 1, b: { c: [] } },
      {
        type: 'object',
        properties: { a: number, b: { type: 'object', properties: { c: { type: 'array' } } } },
      },
    ],
    [
      [{ a: 1 }, { b: 'x' }, { a: 'x' }],
      {
        type: 'array',
        items: { type: 'object', properties: { a: { anyOf: [number, string] }, b: string } },
      },
    ],
    [
      [[], [1], ['a']],
      {
        type: 'array',
        items: { type: 'array', items: { anyOf: [number, string] } },
      },
    ],
    [[[], []], { type: 'array', items: { type: 'array' } }],
    [
      [{ a: 1 }, 1, [2]],
      {
        type: 'array',
        items: {
          anyOf: [{ type: 'object', properties: { a: number } }, number, { type: 'array', items: number }],
        },
      },
    ],
  ])('describes %j as %j', async (value, schema) => {
    expect((await put(value)).schema).toEqual(schema)
  })

  it('lists every key as a property, even `__proto__` and the empty key', async () => {
    const { body } = await api.put('/data/shape', '{"value":{"__proto__":1,"constructor":"x","":null}}')
    expect(JSON.stringify(body.schema)).toBe(
      '{"type":"object","properties":{"__proto__":{"type":"number"},"constructor":{"type":"string"},"":{"type":"null"}}}',
    )
  })
})

describe('a shape warning', () => {
  it.each<[string, unknown, [path: string, kind: string][]]>([
    ['no array', { a: 1, b: { c: 'x' } }, []],
    ['an empty array', [], []],
    ['one element', [{ a: 1 }], []],
    [
      'equal elements',
      [
        { a: 1, b: 'x' },
        { b: 'y', a: 2 },
      ],
      [],
    ],
    ['a missing key', [{ a: 1, b: 1 }, { a: 1, b: 1 }, { a: 1 }], [['/2', 'missing_keys']]],
    ['an extra key', [{ a: 1 }, { a: 1, b: 1 }, { a: 1 }], [['/1', 'extra_keys']]],
    [
      'a missing and an extra key',
      [{ a: 1 }, { b: 1 }, { a: 1 }],
      [
        ['/1', 'missing_keys'],
        ['/1', 'extra_keys'],
      ],
    ],
    ['a member of another type', [{ a: 1 }, { a: 1 }, { a: 'x' }], [['/2', 'type_mismatch']]],
    ['an element of another type', [1, 2, 'x'], [['/2', 'type_mismatch']]],
    ['an object among numbers', [1, {}, 2], [['/1', 'type_mismatch']]],
    ['an array among objects', [{}, [], {}], [['/1', 'type_mismatch']]],
    ['a null among objects', [{ a: 1 }, null, { a: 1 }], [['/1', 'type_mismatch']]],
    ['a null among numbers', [1, null, 2], [['/1', 'type_mismatch']]],
    ['a number among nulls', [null, 1, null], [['/1', 'type_mismatch']]],
    ['true and false', [true, false], []],
    ['integers and fractions', [1, 1.5], []],
    ['a null member', [{ a: 1 }, { a: null }, { a: 2 }], []],
    ['a null member first', [{ a: null }, { a: 1 }, { a: 2 }], []],
    ['null members in the majority', [{ a: null }, { a: null }, { a: 2 }], []],
    [
      'null members, and types that differ',
      [{ a: null }, { a: 1 }, { a: 'x' }, { a: 'y' }],
      [['/1', 'type_mismatch']],
    ],
    ['a tie of types', [1, 'x'], [['/1', 'type_mismatch']]],
    ['a tie of types in the other order', ['x', 1], [['/1', 'type_mismatch']]],
    [
      'a tie of keys',
      [{ a: 1 }, { b: 1 }, { b: 1 }, { a: 1 }],
      [
        ['/1', 'missing_keys'],
        ['/1', 'extra_keys'],
        ['/2', 'missing_keys'],
        ['/2', 'extra_keys'],
      ],
    ],
    ['a late majority', ['x', 1, 1], [['/0', 'type_mismatch']]],
    [
      'three shapes',
      [{ a: 1 }, { a: 1, b: 1 }, { a: 1, b: 1, c: 1 }, { a: 1, b: 1 }],
      [
        ['/0', 'missing_keys'],
        ['/2', 'extra_keys'],
      ],
    ],
    [
      'nested arrays, each separately',
      [
        [1, 'x'],
        ['x', 1],
      ],
      [
        ['/0/1', 'type_mismatch'],
        ['/1/1', 'type_mismatch'],
      ],
    ],
    ['arrays with different elements', [[1], ['x'], []], []],
    ['an array in a member', { events: [{ t: 1 }, {}, { t: 2 }] }, [['/events/1', 'missing_keys']]],
    ['the arrays of elements', [{ l: [1, 1, 'x'] }, { l: [1] }], [['/0/l/2', 'type_mismatch']]],
    ['members deeper than one level', [{ a: { b: 1 } }, { a: { c: 1 } }], []],
    [
      'keys that need escaping in a pointer',
      { 'a/b': { '~': [1, 1, 'x'] } },
      [['/a~1b/~0/2', 'type_mismatch']],
    ],
    ['a key of a tilde and a digit', { '~1': [1, 1, 'x'] }, [['/~01/2', 'type_mismatch']]],
    ['an empty key', { '': [1, 1, 'x'] }, [['//2', 'type_mismatch']]],
    [
      'the outer array before the inner ones',
      [{ l: [1, 1, 'x'] }, { l: [] }, {}],
      [
        ['/2', 'missing_keys'],
        ['/0/l/2', 'type_mismatch'],
      ],
    ],
  ])('is given for exactly the right elements: %s', async (_, value, expected) => {
    const { warnings } = await put(value)
    expect(warnings.map(({ path, kind }) => [path, kind])).toEqual(expected)
    for (const warning of warnings)
      expect(Object.keys(warning).toSorted()).toEqual(['kind', 'message', 'path'])
  })

  it('has a message with the name of the differing member', async () => {
    const [missing, extra] = (await put([{ title: 1 }, { name: 1 }, { title: 1 }])).warnings
    expect(missing!.message).toContain('"title"')
    expect(extra!.message).toContain('"name"')
    const [type] = (await put([{ size: 1 }, { size: 'x' }, { size: 1 }])).warnings
    expect(type!.message).toBe('"size" is text here; in most elements it is a number')
  })

  it('is given only for the first hundred elements that differ', async () => {
    const elements = [...Array(150).fill('x'), ...Array(151).fill(1)]
    const { warnings } = await put(elements)
    expect(warnings.map(({ path }) => path)).toEqual(Array.from({ length: 100 }, (_, index) => `/${index}`))
    const exactly = await put([...Array(100).fill('x'), ...Array(101).fill(1)])
    expect(exactly.warnings).toHaveLength(100)
  })

  it('is in every response with the record, and does not prevent the write', async () => {
    const response = await api.put<Shaped>('/data/shape', { value: [1, 'x'] })
    expect(response.status).toBe(200)
    const read = await api.get<Shaped>('/data/shape')
    expect(read.body.warnings).toEqual(response.body.warnings)
    const list = await api.get<{ data: Shaped[] }>('/data')
    expect(list.body.data[0]!.warnings).toEqual(response.body.warnings)
  })

  it('is computed even for values with the maximum number of keys and shapes', async () => {
    const worst = [
      Array.from({ length: 5000 }, (_, index) => ({ [`k${index}`]: 1 })),
      Array.from({ length: 4000 }, (_, index) => (index % 2 ? [index] : { a: null })),
      Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, null])),
      Array.from({ length: 12 }, (_, at) =>
        Object.fromEntries(
          Array.from({ length: 500 }, (_, index) => [`k${index}`, index % 12 === at ? null : 1]),
        ),
      ),
    ]
    for (const value of worst) {
      const response = await api.put<Shaped>('/data/shape', { value })
      expect(response.status).toBe(200)
      expect(response.body.warnings.length).toBeLessThanOrEqual(100)
    }
  })
})
