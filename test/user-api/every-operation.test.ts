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
import { fillAccount, type PathValues } from '../contract/resources.ts'
import { request } from '../space-api/support/http.ts'
import { type Person, type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()
let person: Person
let space: TestSpace
let values: PathValues
let everyScope: string

beforeAll(async () => {
  person = await service.signUp()
  space = await service.createSpace()
  values = await fillAccount(person)
  everyScope = await person.token(...USER_SCOPES)
})

const call = (row: Row, authorization: string | undefined, at = values) =>
  callOperation(service.root, row, at, authorization)

describe.each(userOperations)('$title', row => {
  const { scopes } = row.facts

  it('succeeds with a token that has any one of the accepted scopes, and reports the remaining calls', async () => {
    for (const scope of USER_SCOPES.filter(scope => scopes.length === 0 || scopes.includes(scope))) {
      const response = await call(row, `Bearer ${await person.token(scope)}`, await fillAccount(person))
      expectSuccess(response, row)
    }
  })

  it('rejects every invalid credential with the same 401', async () => {
    const revoked = await person.token('posts')
    const { id } = (await person.tokens.list()).find(({ hint }) => revoked.startsWith(hint.slice(0, -1)))!
    await person.tokens.revoke({ token_id: id })
    const last = everyScope.at(-1) === 'A' ? 'B' : 'A'
    const invalid = [
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
    expectUnauthorized(await Promise.all(invalid.map(authorization => call(row, authorization))))
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
    request(service.root, method, pathOf(row, values) + suffix, {
      headers: { Authorization: `Bearer ${everyScope}` },
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

describe.each(userOperations.filter(({ facts }) => facts.scopes.length > 0))('$title', row => {
  it('rejects a token that has none of the accepted scopes', async () => {
    for (const scope of USER_SCOPES.filter(scope => !row.facts.scopes.includes(scope))) {
      const response = await call(row, `Bearer ${await person.token(scope)}`)
      expect(response.body).toMatchObject({ status: 403, code: 'insufficient_scope' })
      expect(response.status).toBe(403)
    }
  })
})

describe.each(onOneResource(userOperations))('$title', ({ parameter, resource, ...row }) => {
  it('returns 404 for ids that are unknown or malformed', async () => {
    const ids = [resource.missing, ...unknownIds(values[parameter]!)]
    for (const id of ids) {
      const response = await call(row, `Bearer ${everyScope}`, { ...values, [parameter]: id })
      expect({ id, ...response.body }).toMatchObject({ id, status: 404, code: resource.notFound })
    }
  })
})

describe('a user token', () => {
  it.each(spaceOperations)('is rejected by $title', async ({ operation }) => {
    const path = operation.path.replace('{subdomain}', space.subdomain).replace(/\{\w+\}/g, 'a'.repeat(16))
    const response = await request(service.root, operation.method, `/v1${path}`, {
      headers: { Authorization: `Bearer ${everyScope}` },
    })
    expect(response.body).toMatchObject({ status: 401, code: 'unauthorized' })
  })
})
