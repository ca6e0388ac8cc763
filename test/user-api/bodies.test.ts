import { describe, expect, it } from 'vitest'
import { useFilledAccount } from '../contract/filled.ts'
import {
  bodyLimitOf,
  bodyOf,
  pathOf,
  type Row,
  userOperations,
  withBody,
  withoutBody,
} from '../contract/operations.ts'
import { fillAccount } from '../contract/resources.ts'
import { request } from '../space-api/support/http.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()
const filled = useFilledAccount(service)

const JSON_TYPE = { 'Content-Type': 'application/json' }

const call = (row: Row, body: string | Buffer | undefined, headers: Record<string, string> = JSON_TYPE) =>
  request(service.root, row.operation.method, pathOf(row, filled.values), {
    headers: { Authorization: filled.authorization, ...headers },
    ...(body === undefined ? {} : { body }),
  })

const validBody = (row: Row) => JSON.stringify(bodyOf(row))

describe.each(withBody(userOperations))('$title', row => {
  const { operation } = row
  const limit = bodyLimitOf(row)

  it.each(['application/json', 'Application/JSON; charset=UTF-8'])(
    'accepts a body of type %j',
    async type => {
      expect((await call(row, validBody(row), { 'Content-Type': type })).status).toBeLessThan(300)
    },
  )

  it.each(['text/plain', 'application/problem+json', 'image/png', 'application/json; charset=latin1'])(
    'rejects a body of type %j',
    async type => {
      const response = await call(row, validBody(row), { 'Content-Type': type })
      expect(response.body).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    },
  )

  it('rejects a body without a type', async () => {
    expect((await call(row, validBody(row), {})).status).toBe(415)
  })

  it.each([
    ['an empty body', ''],
    ['half an object', '{"a":'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('rejects %s as a body', async (_, body) => {
    expect((await call(row, body)).body).toMatchObject({ status: 400, code: 'invalid_json' })
  })

  it('treats a missing body as an empty one', async () => {
    expect((await call(row, undefined, {})).body.code).toBe('invalid_json')
  })

  it.each(['null', '1', '"text"', '[]'])('rejects JSON that is not an object', async body => {
    const response = await call(row, body)
    expect(response.status).toBe(422)
    expect(response.body.errors).toEqual([{ field: '$', message: expect.any(String) }])
  })

  it.each(['nope', '__proto__', 'constructor', 'id', 'published', 'scopes', '$', ''])(
    'rejects the unknown field %j by name',
    async name => {
      const body = JSON.stringify(Object.fromEntries([...Object.entries(bodyOf(row)), [name, 'x']]))
      const response = await call(row, body)
      expect(response.body).toMatchObject({ status: 422, code: 'validation_failed' })
      expect(response.body.errors).toEqual([{ field: name, message: expect.any(String) }])
    },
  )

  it('rejects path parameters that are sent as fields of the body', async () => {
    for (const name of operation.pathParameters) {
      const response = await call(row, JSON.stringify({ ...bodyOf(row), [name]: filled.values[name] }))
      expect(response.body.errors).toEqual([{ field: name, message: expect.any(String) }])
    }
  })

  it('reports every invalid field and every unknown field', async () => {
    const broken = Object.fromEntries(Object.keys(bodyOf(row)).map(name => [name, 5]))
    const response = await call(row, JSON.stringify({ ...broken, one: 1, two: {} }))
    const fields = new Set(response.body.errors?.map(({ field }) => field))
    expect(fields).toEqual(new Set([...Object.keys(broken), 'one', 'two']))
  })

  it('accepts a body of exactly the size limit and rejects one byte more', async () => {
    expect((await call(row, validBody(row).padEnd(limit))).status).toBeLessThan(300)
    const response = await call(row, `${validBody(row).padEnd(limit)} `)
    expect(response.body).toMatchObject({ status: 413, code: 'payload_too_large' })
  })

  it('cuts off a chunked body at the size limit', async () => {
    const send = (size: number) =>
      request(service.root, row.operation.method, pathOf(row, filled.values), {
        headers: { Authorization: filled.authorization, ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
        chunks: [Buffer.from(validBody(row).padEnd(limit - 10)), Buffer.alloc(size - limit + 10, ' ')],
      })
    expect((await send(limit)).status).toBeLessThan(300)
    expect((await send(limit + 1)).body).toMatchObject({ status: 413, code: 'payload_too_large' })
  })
})

describe.each(withoutBody(userOperations))('$title', row => {
  it.each([
    ['text', 'text/plain', 'not json'],
    ['broken JSON', 'application/json', '{'],
    ['fields', 'application/json', '{"nope":1}'],
    ['bytes without a type', undefined, Buffer.alloc(10, 0xff)],
    ['more than any limit', 'application/json', Buffer.alloc(2_000_000, ' ')],
  ])('ignores a body of %s', async (_, type, body) => {
    const response = await request(
      service.root,
      row.operation.method,
      pathOf(row, await fillAccount(filled.person)),
      {
        headers: {
          Authorization: filled.authorization,
          ...(type === undefined ? {} : { 'Content-Type': type }),
        },
        body,
      },
    )
    expect(response.status).toBe(row.facts.status)
  })
})
