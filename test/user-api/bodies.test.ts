import { beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../facades/operations.ts'
import { USER_SCOPES } from '../../routers/core/scopes.ts'
import { request } from '../space-api/support/http.ts'
import { type Person, useWorld } from '../support/world.ts'
import {
  bodyOf,
  furnish,
  type PathValues,
  pathOf,
  tableWithBody,
  tableWithoutBody,
} from './support/operations.ts'

const world = useWorld()
let person: Person
let values: PathValues
let authorization: string

beforeAll(async () => {
  person = await world.person()
  values = await furnish(person.api)
  authorization = `Bearer ${await person.token(...USER_SCOPES)}`
})

const JSON_TYPE = { 'Content-Type': 'application/json' }

const call = (
  operation: Operation,
  body: string | Buffer | undefined,
  headers: Record<string, string> = JSON_TYPE,
) =>
  request(world.root, operation.method, pathOf(operation, values), {
    headers: { Authorization: authorization, ...headers },
    ...(body === undefined ? {} : { body }),
  })

const good = (operation: Operation) => JSON.stringify(bodyOf(operation))

describe.each(tableWithBody)('$title', ({ operation }) => {
  const limit = operation.name === 'me.setIcon' ? 1_399_128 : 1_048_576

  it.each(['application/json', 'Application/JSON; charset=UTF-8'])('takes a body of type %j', async type => {
    expect((await call(operation, good(operation), { 'Content-Type': type })).status).toBeLessThan(300)
  })

  it.each(['text/plain', 'application/problem+json', 'image/png', 'application/json; charset=latin1'])(
    'refuses a body of type %j',
    async type => {
      const answer = await call(operation, good(operation), { 'Content-Type': type })
      expect(answer.body).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    },
  )

  it('refuses a body without a type', async () => {
    expect((await call(operation, good(operation), {})).status).toBe(415)
  })

  it.each([
    ['nothing', ''],
    ['half an object', '{"a":'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('refuses %s as a body', async (_, body) => {
    expect((await call(operation, body)).body).toMatchObject({ status: 400, code: 'invalid_json' })
  })

  it('takes no body at all for an empty one', async () => {
    expect((await call(operation, undefined, {})).body.code).toBe('invalid_json')
  })

  it.each(['null', '1', '"text"', '[]'])('refuses JSON that is no object', async body => {
    const answer = await call(operation, body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual([{ field: '$', message: expect.any(String) }])
  })

  it.each(['nope', '__proto__', 'constructor', 'id', 'published', 'scopes', '$', ''])(
    'refuses the field %j, by its name',
    async name => {
      const body = JSON.stringify(Object.fromEntries([...Object.entries(bodyOf(operation)), [name, 'x']]))
      const answer = await call(operation, body)
      expect(answer.body).toMatchObject({ status: 422, code: 'validation_failed' })
      expect(answer.body.errors).toEqual([{ field: name, message: expect.any(String) }])
    },
  )

  it('refuses fields that are called like what the path says', async () => {
    for (const name of operation.pathParameters) {
      const answer = await call(operation, JSON.stringify({ ...bodyOf(operation), [name]: values[name] }))
      expect(answer.body.errors).toEqual([{ field: name, message: expect.any(String) }])
    }
  })

  it('lists every broken field, unknown ones included', async () => {
    const broken = Object.fromEntries(Object.keys(bodyOf(operation)).map(name => [name, 5]))
    const answer = await call(operation, JSON.stringify({ ...broken, one: 1, two: {} }))
    const fields = new Set(answer.body.errors?.map(({ field }) => field))
    expect(fields).toEqual(new Set([...Object.keys(broken), 'one', 'two']))
  })

  it('reads a body of exactly its limit, and refuses one byte more', async () => {
    expect((await call(operation, good(operation).padEnd(limit))).status).toBeLessThan(300)
    const answer = await call(operation, `${good(operation).padEnd(limit)} `)
    expect(answer.body).toMatchObject({ status: 413, code: 'payload_too_large' })
  })

  it('cuts off a chunked body at its limit', async () => {
    const send = (size: number) =>
      request(world.root, operation.method, pathOf(operation, values), {
        headers: { Authorization: authorization, ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
        chunks: [Buffer.from(good(operation).padEnd(limit - 10)), Buffer.alloc(size - limit + 10, ' ')],
      })
    expect((await send(limit)).status).toBeLessThan(300)
    expect((await send(limit + 1)).body).toMatchObject({ status: 413, code: 'payload_too_large' })
  })
})

describe.each(tableWithoutBody)('$title', ({ operation }) => {
  it.each([
    ['text', 'text/plain', 'not json'],
    ['broken JSON', 'application/json', '{'],
    ['fields', 'application/json', '{"nope":1}'],
    ['bytes without a type', undefined, Buffer.alloc(10, 0xff)],
    ['more than any limit', 'application/json', Buffer.alloc(2_000_000, ' ')],
  ])('ignores a body of %s', async (_, type, body) => {
    const answer = await request(world.root, operation.method, pathOf(operation, await furnish(person.api)), {
      headers: { Authorization: authorization, ...(type === undefined ? {} : { 'Content-Type': type }) },
      body,
    })
    expect(answer.status).toBe(operation.meta.status ?? 200)
  })
})
