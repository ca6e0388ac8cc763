import { beforeAll, describe, expect, it } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { uniqueName, useTestService } from '../support/test-service.ts'
import { statusAndFields, statusesOf } from './support/responses.ts'
import { ASTRAL, UNSTORABLE } from './support/texts.ts'

interface DataRecord {
  key: string
  value: unknown
  description: string | null
  version: number
  updated_at: string
  schema: object
  warnings: object[]
}

const service = useTestService()
let api: RestClient

beforeAll(async () => {
  api = (await service.createSpace()).api
})

const newKey = () => uniqueName('record')
const put = (key: string, body: object) => api.put<DataRecord>(`/data/${key}`, body)
const read = async (key: string) => (await api.get<DataRecord>(`/data/${key}`)).body

describe('writing a record', () => {
  it('creates it with version 1 and no description, and returns it', async () => {
    const key = newKey()
    const { status, body } = await put(key, { value: { title: 'Open day' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      key,
      value: { title: 'Open day' },
      description: null,
      version: 1,
      updated_at: expect.stringMatching(/Z$/),
      schema: { type: 'object', properties: { title: { type: 'string' } } },
      warnings: [],
    })
    expect(await read(key)).toEqual(body)
    expect((await api.get<{ data: DataRecord[] }>('/data')).body.data).toContainEqual(body)
  })

  it('replaces its value; the version and updated_at change even if the value is the same', async () => {
    const key = newKey()
    const { body: first } = await put(key, { value: { a: 1, b: 2 } })
    const { body: second } = await put(key, { value: { c: 3 } })
    const { body: third } = await put(key, { value: { c: 3 } })
    expect([second.value, third.value]).toEqual([{ c: 3 }, { c: 3 }])
    expect([first.version, second.version, third.version]).toEqual([1, 2, 3])
    expect(first.updated_at < second.updated_at && second.updated_at < third.updated_at).toBe(true)
  })

  it('creates it with version 1 again after it was deleted', async () => {
    const key = newKey()
    await put(key, { value: 1, description: 'old' })
    await put(key, { value: 2 })
    expect((await api.delete(`/data/${key}`)).status).toBe(204)
    expect((await api.get(`/data/${key}`)).body).toMatchObject({ status: 404, code: 'data_not_found' })
    expect((await api.delete(`/data/${key}`)).body).toMatchObject({ status: 404, code: 'data_not_found' })
    expect((await put(key, { value: 1 })).body).toMatchObject({ version: 1, description: null })
  })

  it.each<[field: string, body: object]>([
    ['value', {}],
    ['value', { description: 'x' }],
    ['description', { value: 1, description: 7 }],
    ['description', { value: 1, description: ['x'] }],
    ['description', { value: 1, description: 'a'.repeat(201) }],
    ['description', { value: 1, description: `${ASTRAL.repeat(200)}a` }],
    ...UNSTORABLE.map(description => ['description', { value: 1, description }] as [string, object]),
    ['version', { value: 1, version: null }],
    ['version', { value: 1, version: '1' }],
    ['version', { value: 1, version: 1.5 }],
    ['version', { value: 1, version: true }],
    ['version', { value: 1, version: [1] }],
    ['schema', { value: 1, schema: {} }],
    ['key', { value: 1, key: 'x' }],
  ])('is rejected with an error for %s', async (field, body) => {
    const key = newKey()
    expect(statusAndFields(await put(key, body))).toEqual([422, field])
    expect((await api.get(`/data/${key}`)).status).toBe(404)
  })
})

describe('a key', () => {
  it.each(['a', '0', 'a-b', 'a--b', 'constructor', 'a'.repeat(60)])('can be %s', async key => {
    expect((await put(key, { value: 1 })).body.key).toBe(key)
  })

  it.each([
    '-a',
    'a-',
    'A',
    'a_b',
    '__proto__',
    'a.b',
    'a%2Fb',
    '%C3%A9',
    'a%00',
    '%20a',
    'a%0A',
    '%20',
    'a'.repeat(61),
    '%F0%9F%8C%B1',
  ])('cannot be %s', async key => {
    expect(statusAndFields(await put(key, { value: 1 }))).toEqual([422, 'key'])
    expect((await api.get(`/data/${key}`)).body.code).toBe('data_not_found')
    expect((await api.delete(`/data/${key}`)).body.code).toBe('data_not_found')
  })

  it('is reported together with all other errors if it is invalid', async () => {
    const response = await put('A', { version: 'x', description: 1, nope: 1 })
    expect(new Set(statusAndFields(response))).toEqual(
      new Set([422, 'key', 'value', 'version', 'description', 'nope']),
    )
  })
})

it('the list of records is complete and sorted by the code points of the keys', async () => {
  const { api } = await service.createSpace()
  for (const key of ['b', 'aa', 'a1', 'a-b', 'a', '0', 'a--b']) await api.put(`/data/${key}`, { value: key })
  const { body } = await api.get<{ data: DataRecord[] }>('/data')
  expect(body.data.map(({ key }) => key)).toEqual(['0', 'a', 'a--b', 'a-b', 'a1', 'aa', 'b'])
  expect(body.data.map(({ value }) => value)).toEqual(body.data.map(({ key }) => key))
})

describe('a description', () => {
  it('is kept when omitted, replaced when sent, and removed by null', async () => {
    const key = newKey()
    const seen = []
    for (const change of [{ description: 'one' }, {}, { description: '' }, { description: null }, {}])
      seen.push((await put(key, { value: 1, ...change })).body.description)
    expect(seen).toEqual(['one', 'one', '', null, null])
  })

  it.each(['a'.repeat(200), ASTRAL.repeat(200), '  kept  \n', '\u0001\u202e'])(
    'can be %j',
    async description => {
      expect((await put(newKey(), { value: 1, description })).body.description).toBe(description)
    },
  )
})

describe('the version in a write', () => {
  it('must be the current version; otherwise nothing is written', async () => {
    const key = newKey()
    await put(key, { value: 'first', description: 'kept' })
    const before = await read(key)
    for (const version of [0, 2, -1, 99, 2 ** 31, Number.MAX_SAFE_INTEGER, 9_007_199_254_740_992, 1e300]) {
      const response = await put(key, { value: 'second', description: 'x', version })
      expect(response.body).toMatchObject({ status: 409, code: 'version_conflict' })
    }
    expect(await read(key)).toEqual(before)
    expect((await put(key, { value: 'second', version: 1 })).body.version).toBe(2)
  })

  it('can be written with a zero fraction, as 1.0', async () => {
    const key = newKey()
    await put(key, { value: 1 })
    const response = await api.put(`/data/${key}`, '{"value":2,"version":1.0}')
    expect(response.body.version).toBe(2)
  })

  it.each([0, 1, -1])('%i does not create a missing record', async version => {
    const key = newKey()
    expect((await put(key, { value: 1, version })).body).toMatchObject({
      status: 404,
      code: 'data_not_found',
    })
    expect((await api.get(`/data/${key}`)).status).toBe(404)
  })

  it('lets only one of many concurrent writers succeed', async () => {
    const key = newKey()
    await put(key, { value: 'start' })
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, writer) => put(key, { value: writer, version: 1 })),
    )
    expect(statusesOf(responses)).toEqual([200, ...Array(19).fill(409)])
    const winner = responses.findIndex(({ status }) => status === 200)
    expect(await read(key)).toMatchObject({ value: winner, version: 2 })
  })
})

it('concurrent writes to a record all succeed if they name no version', async () => {
  const key = newKey()
  const responses = await Promise.all(Array.from({ length: 20 }, (_, value) => put(key, { value })))
  const versions = responses.map(({ body }) => body.version).toSorted((a, b) => a - b)
  expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  const last = responses.find(({ body }) => body.version === 20)!
  expect(await read(key)).toEqual(last.body)
})
