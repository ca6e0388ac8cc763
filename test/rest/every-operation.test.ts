import { beforeAll, describe, expect, it } from 'vitest'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { newSecret } from '../../routers/api/secret.ts'
import { callOperation, expectSuccess, expectUnauthorized } from '../contract/call-operation.ts'
import {
  onOneResource,
  pathOf,
  type Row,
  spaceOperations,
  unknownIds,
  userOperations,
} from '../contract/operations.ts'
import { fillAccount, fillSpace, type PathValues } from '../contract/resources.ts'
import { request } from '../space-api/support/http.ts'
import { type Person, type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()
let person: Person
let space: TestSpace
let other: TestSpace

interface Api {
  scopes: readonly string[]
  fill: () => Promise<PathValues>
  create: (...scopes: string[]) => Promise<string>
  revoke: (secret: string) => Promise<unknown>
  /** A credential of the other API. */
  foreign: () => Promise<string>
  values: PathValues
  /** A credential with each scope, and with all of them. */
  withScope: Record<string, string>
  everyScope: string
}

/** Filled in before the tests. */
const unfilled = { values: {}, withScope: {}, everyScope: '' }

const apis: Record<'space' | 'user', Api> = {
  space: {
    ...unfilled,
    scopes: SPACE_SCOPES,
    fill: () => fillSpace(space),
    create: (...scopes) => space.key(...(scopes as never[])),
    revoke: async secret => {
      const { subdomain, owner } = space
      const { id } = (await owner.keys.list({ subdomain })).find(({ hint }) =>
        secret.startsWith(hint.slice(0, -1)),
      )!
      await owner.keys.revoke({ subdomain, key_id: id })
    },
    foreign: () => person.token(...USER_SCOPES),
  },
  user: {
    ...unfilled,
    scopes: USER_SCOPES,
    fill: () => fillAccount(person),
    create: (...scopes) => person.token(...(scopes as never[])),
    revoke: async secret => {
      const { id } = (await person.tokens.list()).find(({ hint }) => secret.startsWith(hint.slice(0, -1)))!
      await person.tokens.revoke({ token_id: id })
    },
    foreign: () => space.key(...SPACE_SCOPES),
  },
}

const operations = [...spaceOperations, ...userOperations]
const apiOf = ({ operation }: Row) => apis[operation.meta.api!]

beforeAll(async () => {
  ;[person, space, other] = await Promise.all([
    service.signUp(),
    service.createSpace(),
    service.createSpace(),
  ])
  for (const api of Object.values(apis)) {
    api.values = await api.fill()
    const secrets = await Promise.all(api.scopes.map(async scope => [scope, await api.create(scope)]))
    api.withScope = Object.fromEntries(secrets) as Record<string, string>
    api.everyScope = await api.create(...api.scopes)
  }
})

const call = (row: Row, authorization: string | undefined, at = apiOf(row).values) =>
  callOperation(service.root, row, at, authorization)

describe.each(operations)('$title', row => {
  const { scopes, status } = row.facts
  const api = apiOf(row)

  it('succeeds with a credential that has any one of the accepted scopes, and reports the remaining calls', async () => {
    for (const scope of scopes.length > 0 ? scopes : api.scopes) {
      const response = await call(row, `Bearer ${api.withScope[scope]}`, await api.fill())
      expectSuccess(response, row)
    }
  })

  it('rejects every invalid credential with the same 401', async () => {
    const { everyScope } = api
    const revoked = await api.create(api.scopes[0]!)
    await api.revoke(revoked)
    const last = everyScope.at(-1) === 'A' ? 'B' : 'A'
    const invalid = [
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
      `Bearer ${await api.foreign()}`,
    ]
    expectUnauthorized(await Promise.all(invalid.map(authorization => call(row, authorization))))
  })

  it('accepts the Bearer scheme in any letter case', async () => {
    const response = await call(row, `bearer ${api.everyScope}`, await api.fill())
    expect(response.status).toBe(status)
  })
})

describe.each(operations.filter(({ facts }) => facts.scopes.length > 0))('$title', row => {
  it('rejects a credential that has none of the accepted scopes', async () => {
    const api = apiOf(row)
    for (const scope of api.scopes.filter(
      scope => !(row.facts.scopes as readonly string[]).includes(scope),
    )) {
      const response = await call(row, `Bearer ${api.withScope[scope]}`)
      expect(response.body).toMatchObject({ status: 403, code: 'insufficient_scope' })
      expect(response.status).toBe(403)
    }
  })
})

describe.each(onOneResource(operations))('$title', ({ parameter, resource, ...row }) => {
  it('returns 404 for ids that are unknown, malformed or of another space', async () => {
    const { values, everyScope } = apiOf(row)
    const foreign = row.operation.meta.api === 'space' ? [(await fillSpace(other))[parameter]!] : []
    for (const id of [resource.missing, ...foreign, ...unknownIds(values[parameter]!)]) {
      const response = await call(row, `Bearer ${everyScope}`, { ...values, [parameter]: id })
      expect([id, response.status, response.body.code]).toEqual([id, 404, resource.notFound])
    }
  })
})

describe.each(spaceOperations)('$title', row => {
  it('rejects a key of another space, even if the space in the path does not exist', async () => {
    const foreign = `Bearer ${await other.key(...SPACE_SCOPES)}`
    for (const subdomain of [space.subdomain, 'nowhere', 'x', 'Not_A%20Name', '%F0%9F%8C%B1']) {
      const response = await call(row, foreign, { ...apis.space.values, subdomain })
      expect(response.status).toBe(403)
      expect(response.body.code).toBe('space_mismatch')
    }
  })

  it('matches the subdomain exactly, including letter case and white space', async () => {
    for (const subdomain of [
      space.subdomain.toUpperCase(),
      `%20${space.subdomain}`,
      `${space.subdomain}%0A`,
    ]) {
      const response = await call(row, `Bearer ${apis.space.everyScope}`, { ...apis.space.values, subdomain })
      expect(response.body).toMatchObject({ status: 403, code: 'space_mismatch' })
    }
  })
})

describe('every response', () => {
  it('has ids of 16 characters and times in UTC with milliseconds', async () => {
    const seen: Record<string, unknown>[] = []
    for (const row of spaceOperations) {
      if (row.operation.method === 'DELETE') continue
      const { body } = await call(row, `Bearer ${apis.space.everyScope}`, await fillSpace(space))
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

  it('that is a problem has a type, title, status and code, and no empty fields', async () => {
    const { body, headers } = await call(spaceOperations[0]!, undefined)
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(body).toEqual({
      type: 'http://localhost/docs#error-unauthorized',
      title: expect.any(String),
      status: 401,
      code: 'unauthorized',
    })
  })

  it('has `errors` only if a field breaks a rule', async () => {
    const { body } = await call(spaceOperations[0]!, `Bearer ${apis.space.everyScope}`, {
      subdomain: other.subdomain,
    })
    expect(body).not.toHaveProperty('errors')
  })
})

const paths = Object.entries(Object.groupBy(userOperations, ({ operation }) => operation.path)).map(
  ([path, rows = []]) => ({
    path,
    row: rows[0]!,
    methods: rows.map(({ facts }) => facts.route.split(' ')[0]!).toSorted(),
  }),
)

describe.each(paths)('$path', ({ row, methods }) => {
  const send = (method: string, suffix = '') =>
    request(service.root, method, pathOf(row, apis.user.values) + suffix, {
      headers: { Authorization: `Bearer ${apis.user.everyScope}` },
    })

  it('rejects other methods and lists the allowed ones', async () => {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].filter(
      method => !methods.includes(method),
    )
    for (const method of others) {
      const response = await send(method)
      expect(response.body).toMatchObject({ status: 405, code: 'method_not_allowed' })
      expect(response.headers.allow).toBe(methods.join(', '))
    }
  })

  it('supports HEAD if and only if it supports GET', async () => {
    const { status, text } = await send('HEAD')
    expect({ status, text }).toEqual({ status: methods.includes('GET') ? 200 : 405, text: '' })
  })

  it('returns 404 with a trailing slash', async () => {
    for (const method of methods)
      expect((await send(method, '/')).body).toMatchObject({ status: 404, code: 'not_found' })
  })
})

describe('a user token', () => {
  it.each(spaceOperations)('is rejected by $title', async ({ operation }) => {
    const path = operation.path.replace('{subdomain}', space.subdomain).replace(/\{\w+\}/g, 'a'.repeat(16))
    const response = await request(service.root, operation.method, `/v1${path}`, {
      headers: { Authorization: `Bearer ${apis.user.everyScope}` },
    })
    expect(response.body).toMatchObject({ status: 401, code: 'unauthorized' })
  })
})
