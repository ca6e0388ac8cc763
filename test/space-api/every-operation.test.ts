import { beforeAll, describe, expect, it } from 'vitest'
import { newSecret } from '../../routers/access/secret.ts'
import { SPACE_SCOPES, type SpaceScope } from '../../routers/core/scopes.ts'
import { type TestSpace, useWorld } from '../support/world.ts'
import { request } from './support/http.ts'
import {
  bodyOf,
  documented,
  furnish,
  nothing,
  operations,
  type PathValues,
  pathOf,
  table,
} from './support/operations.ts'

const world = useWorld()
let space: TestSpace
let other: TestSpace
let values: PathValues
let keys: Record<SpaceScope, string>
let everyScope: string

beforeAll(async () => {
  ;[space, other] = await Promise.all([world.space(), world.space()])
  values = await furnish(space)
  const secrets = await Promise.all(SPACE_SCOPES.map(async scope => [scope, await space.key(scope)]))
  keys = Object.fromEntries(secrets) as Record<SpaceScope, string>
  everyScope = await space.key(...SPACE_SCOPES)
})

const call = (operation: (typeof operations)[number], authorization: string | undefined, at = values) =>
  request(world.root, operation.method, pathOf(operation, at), {
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(operation.takesBody ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(operation.takesBody ? { body: JSON.stringify(bodyOf(operation)) } : {}),
  })

const CORS = /^access-control-/

it('offers exactly the operations that are documented', () => {
  expect(table.map(({ title }) => title).sort()).toEqual(Object.keys(documented).sort())
})

describe.each(table)('$title', ({ title, operation }) => {
  const { scopes, status } = documented[title]!

  it('answers success to a key with one of its scopes, with the calls left in the headers', async () => {
    for (const scope of scopes.length > 0 ? scopes : SPACE_SCOPES) {
      const answer = await call(operation, `Bearer ${keys[scope]}`, await furnish(space))
      expect(answer).toMatchObject({ status })
      expect(answer.headers['ratelimit-limit']).toMatch(/^\d+$/)
      expect(answer.headers['ratelimit-remaining']).toMatch(/^\d+$/)
      expect(answer.headers['ratelimit-reset']).toMatch(/^([1-9]|[1-5]\d|60)$/)
      expect(answer.headers['content-type']).toBe(
        status === 204 ? undefined : 'application/json; charset=utf-8',
      )
      expect(answer.text === '').toBe(status === 204)
      expect(Object.keys(answer.headers).filter(name => CORS.test(name))).toEqual([])
    }
  })

  it('refuses what is no valid key, and says the same each time', async () => {
    const revoked = await space.key('pages')
    const [newest] = await space.owner.keys.list({ subdomain: space.subdomain })
    await space.owner.keys.revoke({ subdomain: space.subdomain, key_id: newest!.id })
    const last = everyScope.at(-1) === 'A' ? 'B' : 'A'
    const refused = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Basic ${Buffer.from(`x:${everyScope}`).toString('base64')}`,
      everyScope,
      `Bearer ${everyScope} more`,
      `Bearer ${everyScope.slice(0, -1)}${last}`,
      `Bearer ${everyScope.toLowerCase()}`,
      `Bearer ${newSecret('space_key')}`,
      `Bearer ${newSecret('user_token')}`,
      `Bearer ${revoked}`,
    ]
    const answers = await Promise.all(refused.map(authorization => call(operation, authorization)))
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
      expect(answer.text).toBe(answers[0]!.text)
      expect(answer.body.code).toBe('unauthorized')
    }
  })

  it('refuses a key of another space, also where no space has that name or could have', async () => {
    const foreign = `Bearer ${await other.key(...SPACE_SCOPES)}`
    for (const subdomain of [space.subdomain, 'nowhere', 'x', 'Not_A%20Name', '%F0%9F%8C%B1']) {
      const answer = await call(operation, foreign, { ...values, subdomain })
      expect(answer.status).toBe(403)
      expect(answer.body.code).toBe('space_mismatch')
    }
  })

  it('names its space exactly: letter case and surrounding space make another one', async () => {
    for (const subdomain of [
      space.subdomain.toUpperCase(),
      `%20${space.subdomain}`,
      `${space.subdomain}%0A`,
    ]) {
      const answer = await call(operation, `Bearer ${everyScope}`, { ...values, subdomain })
      expect(answer.body).toMatchObject({ status: 403, code: 'space_mismatch' })
    }
  })

  it('accepts the scheme in any letter case', async () => {
    const answer = await call(operation, `bearer ${everyScope}`, await furnish(space))
    expect(answer.status).toBe(status)
  })
})

describe.each(table.filter(({ title }) => documented[title]!.scopes.length > 0))(
  '$title',
  ({ title, operation }) => {
    const { scopes } = documented[title]!

    it('refuses a key without its scope', async () => {
      for (const scope of SPACE_SCOPES.filter(scope => !scopes.includes(scope))) {
        const answer = await call(operation, `Bearer ${keys[scope]}`)
        expect(answer.body).toMatchObject({ status: 403, code: 'insufficient_scope' })
        expect(answer.status).toBe(403)
      }
    })
  },
)

/** Operations on one thing; a write of a record makes what does not exist. */
const onOne = table.filter(
  ({ operation }) => operation.pathParameters.length > 1 && operation.name !== 'data.put',
)

describe.each(onOne)('$title', ({ operation }) => {
  const resource = operation.pathParameters.find(name => name !== 'subdomain')!
  const code = resource === 'key' ? 'data_not_found' : `${resource.replace('_id', '')}_not_found`

  it('answers not found to what does not exist, what belongs to another space, and what cannot be an id', async () => {
    const foreign = await furnish(other)
    const ids = [
      nothing[resource as keyof typeof nothing],
      foreign[resource]!,
      'x',
      '0'.repeat(16),
      'A'.repeat(16),
      `${values[resource]}a`,
      `%20${values[resource]}`,
      '%00',
      'a%2Fb',
      '..%2f..',
      '%F0%9F%8C%B1',
      "'%20or%201=1",
      'x'.repeat(5000),
    ]
    for (const id of ids) {
      const answer = await call(operation, `Bearer ${everyScope}`, { ...values, [resource]: id })
      expect([id, answer.status, answer.body.code]).toEqual([id, 404, code])
    }
  })
})

describe('what every answer looks like', () => {
  it('shows ids of 16 characters and points in time in UTC with milliseconds', async () => {
    const seen: Record<string, unknown>[] = []
    for (const operation of operations) {
      if (operation.method === 'DELETE') continue
      const { body } = await call(operation, `Bearer ${everyScope}`, await furnish(space))
      seen.push(...(Array.isArray(body.data) ? (body.data as Record<string, unknown>[]) : [body]))
    }
    const withTime = seen.filter(item => 'updated_at' in item)
    expect(withTime.length).toBeGreaterThan(15)
    for (const item of withTime) {
      expect('key' in item ? 'a'.repeat(16) : item.id).toMatch(/^[2-9a-z]{16}$/)
      for (const name of ['created_at', 'updated_at'].filter(name => name in item))
        expect(item[name]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  })

  it('gives each problem its type, title, status and code, and no more than it needs', async () => {
    const { body, headers } = await call(operations[0]!, undefined)
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(body).toEqual({
      type: 'http://localhost/docs#error-unauthorized',
      title: expect.any(String),
      status: 401,
      code: 'unauthorized',
    })
  })

  it('leaves out `errors` wherever it is not a rule that is broken', async () => {
    const { body } = await call(operations[0]!, `Bearer ${everyScope}`, { subdomain: other.subdomain })
    expect(body).not.toHaveProperty('errors')
  })
})
