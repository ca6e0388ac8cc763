import { beforeAll, describe, expect, it } from 'vitest'
import { SPACE_SCOPES } from '../../routers/core/scopes.ts'
import { type TestSpace, useWorld } from '../support/world.ts'
import { request } from './support/http.ts'
import {
  bodyOf,
  furnish,
  type PathValues,
  pathOf,
  tableWithBody,
  tableWithoutBody,
} from './support/operations.ts'

type Listed = (typeof tableWithBody)[number]['operation']

const world = useWorld()
let space: TestSpace
let values: PathValues
let authorization: string

beforeAll(async () => {
  space = await world.space()
  values = await furnish(space)
  authorization = `Bearer ${await space.key(...SPACE_SCOPES)}`
})

const JSON_TYPE = { 'Content-Type': 'application/json' }

const call = (
  operation: Listed,
  body: string | Buffer | undefined,
  headers: Record<string, string | string[] | undefined> = JSON_TYPE,
) =>
  request(world.root, operation.method, pathOf(operation, values), {
    headers: { Authorization: authorization, ...headers },
    ...(body === undefined ? {} : { body }),
  })

/** Bytes that a body may have. */
const limitOf = ({ name }: Listed) => (name.startsWith('files.') ? 14_680_064 : 1_048_576)

const good = (operation: Listed) => JSON.stringify(bodyOf(operation))

describe.each(tableWithBody)('$title', ({ operation }) => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=UTF8',
    '  application/json ; charset=utf-8',
    'application/json; boundary=x',
  ])('takes a body of type %j', async type => {
    const answer = await call(operation, good(operation), { 'Content-Type': type })
    expect(answer.status).toBeLessThan(300)
  })

  it.each([
    'text/plain',
    'text/json',
    'application/problem+json',
    'application/json+x',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, application/json',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'json',
    '',
    '*/*',
  ])('refuses a body of type %j', async type => {
    const answer = await call(operation, good(operation), { 'Content-Type': type })
    expect(answer.body).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    expect(answer.status).toBe(415)
  })

  it('refuses a body without a type, and one that is compressed', async () => {
    expect((await call(operation, good(operation), {})).status).toBe(415)
    const compressed = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }
    expect((await call(operation, good(operation), compressed)).status).toBe(415)
  })

  it.each([
    ['nothing', ''],
    ['white space', ' \n\t'],
    ['half an object', '{"a":'],
    ['a trailing comma', '{"a":1,}'],
    ['two values', '{} {}'],
    ['single quotes', "{'a':1}"],
    ['a bare word', 'undefined'],
    ['NaN', '{"a":NaN}'],
    ['a byte order mark', '\ufeff{}'],
    ['a control character in a string', '{"a":"\u0001"}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['a surrogate written in bytes', Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1')],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['100 000 brackets that stay open', '['.repeat(100_000)],
  ])('refuses %s as a body', async (_, body) => {
    const answer = await call(operation, body)
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_json' })
    expect(answer.status).toBe(400)
  })

  it('takes no body at all for an empty one, whether or not a type is given', async () => {
    for (const headers of [{}, JSON_TYPE, { ...JSON_TYPE, 'Content-Length': '0' }]) {
      const answer = await call(operation, undefined, headers)
      expect(answer.body).toMatchObject({ status: 400, code: 'invalid_json' })
    }
  })

  it.each([
    'null',
    'true',
    '1',
    '"text"',
    '[]',
    '[{"slug":"a"}]',
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  ])('refuses JSON that is no object', async body => {
    const answer = await call(operation, body)
    expect(answer.body).toMatchObject({ status: 422, code: 'validation_failed' })
    expect(answer.body.errors).toEqual([{ field: '$', message: expect.any(String) }])
  })

  it.each([
    'nope',
    'Slug',
    '__proto__',
    'constructor',
    'toString',
    'a.b',
    'id',
    'created_at',
    'errors',
    '$',
    '',
  ])('refuses the field %j, by its name', async name => {
    const body = JSON.stringify(Object.fromEntries([...Object.entries(bodyOf(operation)), [name, 'x']]))
    const answer = await call(operation, body)
    expect(answer.body).toMatchObject({ status: 422, code: 'validation_failed' })
    expect(answer.body.errors).toEqual([{ field: name, message: expect.any(String) }])
  })

  it('refuses fields that are called like what the path says', async () => {
    for (const name of operation.pathParameters) {
      const answer = await call(operation, JSON.stringify({ ...bodyOf(operation), [name]: values[name] }))
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toEqual([{ field: name, message: expect.any(String) }])
    }
  })

  it('lists every reason, fields of the path and unknown ones with the broken ones', async () => {
    const broken: Record<string, unknown> = Object.fromEntries(
      Object.keys(bodyOf(operation)).map(name => [name, null]),
    )
    if (operation.name === 'data.put') broken.version = 'x'
    const answer = await call(
      operation,
      JSON.stringify({ ...broken, subdomain: 'x', one: 1, two: { '': [] } }),
    )
    const fields = new Set(answer.body.errors?.map(({ field }) => field))
    const expected = new Set([...Object.keys(broken), 'subdomain', 'one', 'two'])
    if (operation.name === 'data.put') expected.delete('value')
    expect(fields).toEqual(expected)
  })

  const limit = limitOf(operation)

  it('reads a body of exactly its limit, and refuses one byte more by what its length says', async () => {
    const json = good(operation)
    const most = json + ' '.repeat(limit - json.length)
    expect((await call(operation, most)).status).toBeLessThan(300)
    const answer = await call(operation, `${good(operation).padEnd(limit)} `)
    expect(answer.body).toMatchObject({ status: 413, code: 'payload_too_large' })
  })
})

describe.each(tableWithoutBody)('$title', ({ operation }) => {
  it('ignores a body, whatever its type and form', async () => {
    const answer = await request(world.root, operation.method, pathOf(operation, await furnish(space)), {
      headers: { Authorization: authorization, 'Content-Type': 'text/plain' },
      body: '{"nope',
    })
    expect(answer.status).toBeLessThan(300)
  })

  it('ignores a body that is too large', async () => {
    const answer = await request(world.root, operation.method, pathOf(operation, await furnish(space)), {
      headers: { Authorization: authorization },
      body: Buffer.alloc(1_100_000, ' '),
    })
    expect(answer.status).toBeLessThan(300)
  })
})

const ofEachLimit = tableWithBody.filter(({ operation }) => /^(pages|files)\.create$/.test(operation.name))

describe.each(ofEachLimit)('$title', ({ operation }) => {
  const limit = limitOf(operation)

  it('reads a chunked body of exactly its limit, and cuts off a longer one', async () => {
    const send = (size: number) =>
      request(world.root, operation.method, pathOf(operation, values), {
        headers: { Authorization: authorization, ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
        chunks: [Buffer.from(good(operation).padEnd(limit - 10)), Buffer.alloc(size - limit + 10, ' ')],
      })
    expect((await send(limit)).status).toBeLessThan(300)
    expect((await send(limit + 1)).body).toMatchObject({ status: 413, code: 'payload_too_large' })
  })
})
