import { beforeAll, describe, expect, it } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { newSecret } from '../../routers/api/secret.ts'
import { callOperation, expectSuccess, expectUnauthorized } from '../contract/call-operation.ts'
import { onOneResource, type Row, spaceOperations, unknownIds } from '../contract/operations.ts'
import { fillSpace, type PathValues } from '../contract/resources.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()
let space: TestSpace
let other: TestSpace
let values: PathValues
let keys: Record<string, string>
let everyScope: string

beforeAll(async () => {
  ;[space, other] = await Promise.all([service.createSpace(), service.createSpace()])
  values = await fillSpace(space)
  const secrets = await Promise.all(SPACE_SCOPES.map(async scope => [scope, await space.key(scope)]))
  keys = Object.fromEntries(secrets) as Record<string, string>
  everyScope = await space.key(...SPACE_SCOPES)
})

const call = (row: Row, authorization: string | undefined, at = values) =>
  callOperation(service.root, row, at, authorization)

describe.each(spaceOperations)('$title', row => {
  const { scopes, status } = row.facts

  it('succeeds with a key that has any one of the accepted scopes, and reports the remaining calls', async () => {
    for (const scope of scopes.length > 0 ? scopes : SPACE_SCOPES) {
      const response = await call(row, `Bearer ${keys[scope]}`, await fillSpace(space))
      expectSuccess(response, row)
    }
  })

  it('rejects every invalid credential with the same 401', async () => {
    const revoked = await space.key('pages')
    const { id } = (await space.owner.keys.list({ subdomain: space.subdomain })).find(({ hint }) =>
      revoked.startsWith(hint.slice(0, -1)),
    )!
    await space.owner.keys.revoke({ subdomain: space.subdomain, key_id: id })
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
    ]
    expectUnauthorized(await Promise.all(invalid.map(authorization => call(row, authorization))))
  })

  it('rejects a key of another space, even if the space in the path does not exist', async () => {
    const foreign = `Bearer ${await other.key(...SPACE_SCOPES)}`
    for (const subdomain of [space.subdomain, 'nowhere', 'x', 'Not_A%20Name', '%F0%9F%8C%B1']) {
      const response = await call(row, foreign, { ...values, subdomain })
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
      const response = await call(row, `Bearer ${everyScope}`, { ...values, subdomain })
      expect(response.body).toMatchObject({ status: 403, code: 'space_mismatch' })
    }
  })

  it('accepts the Bearer scheme in any letter case', async () => {
    const response = await call(row, `bearer ${everyScope}`, await fillSpace(space))
    expect(response.status).toBe(status)
  })
})

describe.each(spaceOperations.filter(({ facts }) => facts.scopes.length > 0))('$title', row => {
  it('rejects a key that has none of the accepted scopes', async () => {
    for (const scope of SPACE_SCOPES.filter(scope => !row.facts.scopes.includes(scope))) {
      const response = await call(row, `Bearer ${keys[scope]}`)
      expect(response.body).toMatchObject({ status: 403, code: 'insufficient_scope' })
      expect(response.status).toBe(403)
    }
  })
})

describe.each(onOneResource(spaceOperations))('$title', ({ parameter, resource, ...row }) => {
  it('returns 404 for ids that are unknown, malformed or of another space', async () => {
    const foreign = await fillSpace(other)
    const ids = [resource.missing, foreign[parameter]!, ...unknownIds(values[parameter]!)]
    for (const id of ids) {
      const response = await call(row, `Bearer ${everyScope}`, { ...values, [parameter]: id })
      expect([id, response.status, response.body.code]).toEqual([id, 404, resource.notFound])
    }
  })
})

describe('every response', () => {
  it('has ids of 16 characters and times in UTC with milliseconds', async () => {
    const seen: Record<string, unknown>[] = []
    for (const row of spaceOperations) {
      if (row.operation.method === 'DELETE') continue
      const { body } = await call(row, `Bearer ${everyScope}`, await fillSpace(space))
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
    const { body } = await call(spaceOperations[0]!, `Bearer ${everyScope}`, { subdomain: other.subdomain })
    expect(body).not.toHaveProperty('errors')
  })
})
