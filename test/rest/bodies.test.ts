import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { useFilledAccount, useFilledSpace } from '../contract/filled.ts'
import {
  bodyLimitOf,
  bodyOf,
  pathOf,
  type Row,
  spaceOperations,
  userOperations,
  withBody,
  withoutBody,
} from '../contract/operations.ts'
import { request } from '../space-api/support/http.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()
const filled = { space: useFilledSpace(service), user: useFilledAccount(service) }
const operations = [...spaceOperations, ...userOperations]

/** What the operations of an API are called with. */
const filledFor = ({ operation }: Row) => filled[operation.meta.api!]

const JSON_TYPE = { 'Content-Type': 'application/json' }

const call = (
  row: Row,
  body: string | Buffer | undefined,
  headers: Record<string, string | string[] | undefined> = JSON_TYPE,
) => {
  const { authorization, values } = filledFor(row)
  return request(service.root, row.operation.method, pathOf(row, values), {
    headers: { Authorization: authorization, ...headers },
    ...(body === undefined ? {} : { body }),
  })
}

const validBody = (row: Row) => JSON.stringify(bodyOf(row))

const takesNull = ({ operation }: Row, field: string) =>
  (operation.input.shape[field] as z.ZodType).safeParse(null).success

describe.each(withBody(operations))('$title', row => {
  const { operation } = row

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=UTF8',
    '  application/json ; charset=utf-8',
    'application/json; boundary=x',
  ])('accepts a body of type %j', async type => {
    const response = await call(row, validBody(row), { 'Content-Type': type })
    expect(response.status).toBeLessThan(300)
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
  ])('rejects a body of type %j', async type => {
    const response = await call(row, validBody(row), { 'Content-Type': type })
    expect(response.body).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    expect(response.status).toBe(415)
  })

  it('rejects a body that is compressed or has no type', async () => {
    expect((await call(row, validBody(row), {})).status).toBe(415)
    const compressed = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }
    expect((await call(row, validBody(row), compressed)).status).toBe(415)
  })

  it.each([
    ['an empty body', ''],
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
    ['100,000 unclosed brackets', '['.repeat(100_000)],
  ])('rejects %s as a body', async (_, body) => {
    const response = await call(row, body)
    expect(response.body).toMatchObject({ status: 400, code: 'invalid_json' })
    expect(response.status).toBe(400)
  })

  it('says that a body begins with a byte order mark', async () => {
    const { body } = await call(row, `\ufeff${validBody(row)}`)
    expect(body).toMatchObject({
      code: 'invalid_json',
      detail: 'The body begins with a byte order mark (EF BB BF). Send the JSON without it.',
    })
  })

  it('treats a missing body as an empty one, with or without a type', async () => {
    for (const headers of [{}, JSON_TYPE, { ...JSON_TYPE, 'Content-Length': '0' }]) {
      const response = await call(row, undefined, headers)
      expect(response.body).toMatchObject({ status: 400, code: 'invalid_json' })
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
  ])('rejects JSON that is not an object', async body => {
    const response = await call(row, body)
    expect(response.body).toMatchObject({ status: 422, code: 'validation_failed' })
    expect(response.body.errors).toEqual([{ field: '$', message: expect.any(String) }])
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
  ])('rejects the unknown field %j and names it in the error', async name => {
    const body = JSON.stringify(Object.fromEntries([...Object.entries(bodyOf(row)), [name, 'x']]))
    const response = await call(row, body)
    expect(response.body).toMatchObject({ status: 422, code: 'validation_failed' })
    expect(response.body.errors).toEqual([{ field: name, message: expect.any(String) }])
  })

  it('rejects path parameters that are sent as fields of the body', async () => {
    for (const name of operation.pathParameters) {
      const response = await call(
        row,
        JSON.stringify({ ...bodyOf(row), [name]: filledFor(row).values[name] }),
      )
      expect(response.status).toBe(422)
      expect(response.body.errors).toEqual([{ field: name, message: expect.any(String) }])
    }
  })

  it('reports every invalid field, every unknown field and every invalid path parameter', async () => {
    const fields = Object.keys(bodyOf(row))
    const nulls = Object.fromEntries(fields.map(name => [name, null]))
    const inPath = Object.fromEntries(operation.pathParameters.map(name => [name, 'x']))
    const response = await call(row, JSON.stringify({ ...nulls, ...inPath, one: 1, two: { '': [] } }))
    const invalid = fields.filter(name => !takesNull(row, name))
    expect(new Set(response.body.errors?.map(({ field }) => field))).toEqual(
      new Set([...invalid, ...operation.pathParameters, 'one', 'two']),
    )
  })

  const limit = bodyLimitOf(row)

  it('accepts a body of exactly the size limit and rejects a Content-Length of one byte more', async () => {
    const json = validBody(row)
    const largest = json + ' '.repeat(limit - json.length)
    expect((await call(row, largest)).status).toBeLessThan(300)
    const response = await call(row, `${validBody(row).padEnd(limit)} `)
    expect(response.body).toMatchObject({ status: 413, code: 'payload_too_large' })
  })
})

describe.each(withoutBody(operations))('$title', row => {
  it.each([
    ['text', 'text/plain', 'not json'],
    ['broken JSON', 'application/json', '{"nope'],
    ['fields', 'application/json', '{"nope":1}'],
    ['bytes without a type', undefined, Buffer.alloc(10, 0xff)],
    ['more than any limit', 'application/json', Buffer.alloc(2_000_000, ' ')],
  ])('ignores a body of %s', async (_, type, body) => {
    const { authorization, refill } = filledFor(row)
    const response = await request(service.root, row.operation.method, pathOf(row, await refill()), {
      headers: { Authorization: authorization, ...(type === undefined ? {} : { 'Content-Type': type }) },
      body,
    })
    expect(response.status).toBe(row.facts.status)
  })
})

/** One operation for each body limit of each API. */
const ofEachLimit = operations.filter(({ operation }) => /^(pages|files|posts)\.create$/.test(operation.name))

describe.each(ofEachLimit)('$title', row => {
  const limit = bodyLimitOf(row)

  it('accepts a chunked body of exactly the size limit and rejects a longer one', async () => {
    const send = (size: number) =>
      request(service.root, row.operation.method, pathOf(row, filledFor(row).values), {
        headers: {
          Authorization: filledFor(row).authorization,
          ...JSON_TYPE,
          'Transfer-Encoding': 'chunked',
        },
        chunks: [Buffer.from(validBody(row).padEnd(limit - 10)), Buffer.alloc(size - limit + 10, ' ')],
      })
    expect((await send(limit)).status).toBeLessThan(300)
    expect((await send(limit + 1)).body).toMatchObject({ status: 413, code: 'payload_too_large' })
  })
})
