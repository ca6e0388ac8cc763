import { beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../facades/operations.ts'
import { newSecret } from '../../routers/access/secret.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/core/scopes.ts'
import { request } from '../space-api/support/http.ts'
import { operations as spaceOperations } from '../space-api/support/operations.ts'
import { type Person, type TestSpace, useWorld } from '../support/world.ts'
import { bodyOf, documented, furnish, nothing, type PathValues, pathOf, table } from './support/operations.ts'

const world = useWorld()
let person: Person
let space: TestSpace
let values: PathValues
let everyScope: string

beforeAll(async () => {
  person = await world.person()
  space = await world.space()
  values = await furnish(person.api)
  everyScope = await person.token(...USER_SCOPES)
})

const call = (operation: Operation, authorization: string | undefined, at = values) =>
  request(world.root, operation.method, pathOf(operation, at), {
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(operation.takesBody ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(operation.takesBody ? { body: JSON.stringify(bodyOf(operation)) } : {}),
  })

it('offers exactly the operations that are documented', () => {
  expect(table.map(({ title }) => title).sort()).toEqual(Object.keys(documented).sort())
})

describe.each(table)('$title', ({ title, operation }) => {
  const { scope, status } = documented[title]!

  it('answers success to a token with its scope, with the calls left in the headers', async () => {
    for (const held of scope ? [scope] : USER_SCOPES) {
      const answer = await call(operation, `Bearer ${await person.token(held)}`, await furnish(person.api))
      expect(answer).toMatchObject({ status })
      expect(answer.headers['ratelimit-limit']).toMatch(/^\d+$/)
      expect(answer.headers['ratelimit-remaining']).toMatch(/^\d+$/)
      expect(answer.headers['ratelimit-reset']).toMatch(/^([1-9]|[1-5]\d|60)$/)
      expect(answer.headers['content-type']).toBe(
        status === 204 ? undefined : 'application/json; charset=utf-8',
      )
      expect(answer.text === '').toBe(status === 204)
      expect(Object.keys(answer.headers).filter(name => name.startsWith('access-control-'))).toEqual([])
    }
  })

  it('refuses what is no valid token, and says the same each time', async () => {
    const revoked = await person.token('posts')
    const [newest] = await person.tokens.list()
    await person.tokens.revoke({ token_id: newest!.id })
    const last = everyScope.at(-1) === 'A' ? 'B' : 'A'
    const refused = [
      undefined,
      '',
      'Bearer',
      everyScope,
      `Basic ${Buffer.from(`x:${everyScope}`).toString('base64')}`,
      `Bearer ${everyScope} more`,
      `Bearer ${everyScope.slice(0, -1)}${last}`,
      `Bearer ${everyScope.toLowerCase()}`,
      `Bearer ${newSecret('user_token')}`,
      `Bearer ${revoked}`,
      `Bearer ${await space.key(...SPACE_SCOPES)}`,
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
})

const paths = [...new Set(table.map(({ operation }) => operation.path))].map(path => ({
  path,
  methods: table.filter(({ operation }) => operation.path === path).map(({ operation }) => operation.method),
}))

describe.each(paths)('$path', ({ path, methods }) => {
  const send = (method: string, addition = '') =>
    request(
      world.root,
      method,
      `/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)}${addition}`,
      {
        headers: { Authorization: `Bearer ${everyScope}` },
      },
    )

  it('takes no method that is not documented, and says which are', async () => {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].filter(
      method => !methods.includes(method as 'GET'),
    )
    for (const method of others) {
      const answer = await send(method)
      expect(answer.body).toMatchObject({ status: 405, code: 'method_not_allowed' })
      expect(answer.headers.allow).toBe(methods.toSorted().join(', '))
    }
  })

  it('answers HEAD wherever it answers GET', async () => {
    const { status, text } = await send('HEAD')
    expect({ status, text }).toEqual({ status: methods.includes('GET') ? 200 : 405, text: '' })
  })

  it('is another path with a slash behind it', async () => {
    for (const method of methods)
      expect((await send(method, '/')).body).toMatchObject({ status: 404, code: 'not_found' })
  })
})

describe.each(table.filter(({ title }) => documented[title]!.scope !== null))(
  '$title',
  ({ title, operation }) => {
    it('refuses a token without its scope', async () => {
      const { scope } = documented[title]!
      for (const held of USER_SCOPES.filter(held => held !== scope)) {
        const answer = await call(operation, `Bearer ${await person.token(held)}`)
        expect(answer.body).toMatchObject({ status: 403, code: 'insufficient_scope' })
        expect(answer.status).toBe(403)
      }
    })
  },
)

describe.each(table.filter(({ title }) => documented[title]!.missing !== undefined))(
  '$title',
  ({ title, operation }) => {
    it('answers not found to what does not exist and what cannot be an id', async () => {
      const resource = operation.pathParameters[0] as keyof typeof nothing
      const ids = [
        nothing[resource],
        'x',
        '0'.repeat(16),
        'A'.repeat(16),
        `${values[resource]}a`,
        `%20${values[resource]}`,
        '%00',
        'a%2Fb',
        '%F0%9F%8C%B1',
        "'%20or%201=1",
      ]
      for (const id of ids) {
        const answer = await call(operation, `Bearer ${everyScope}`, { ...values, [resource]: id })
        expect({ id, ...answer.body }).toMatchObject({ id, status: 404, code: documented[title]!.missing })
      }
    })
  },
)

describe('a user token', () => {
  it.each(spaceOperations.map(operation => ({ title: `${operation.method} ${operation.path}`, operation })))(
    'is no credential for $title',
    async ({ operation }) => {
      const path = operation.path.replace('{subdomain}', space.subdomain).replace(/\{\w+\}/g, 'a'.repeat(16))
      const answer = await request(world.root, operation.method, `/v1${path}`, {
        headers: { Authorization: `Bearer ${everyScope}` },
      })
      expect(answer.body).toMatchObject({ status: 401, code: 'unauthorized' })
    },
  )
})
