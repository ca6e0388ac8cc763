import { describe, expect, test } from 'vitest'
import { isSecret } from '../../routers/api/secret.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

describe('a key', () => {
  test('shows its secret once, and afterwards only the first characters', async () => {
    const { owner, subdomain } = await service.createSpace()
    const issued = await owner.keys.issue({ subdomain, label: ' Build ', scopes: ['data', 'pages'] })
    expect(isSecret('space_key', issued.secret)).toBe(true)

    const listed = (await owner.keys.list({ subdomain })).find(({ id }) => id === issued.id)
    expect(listed).toEqual({
      id: issued.id,
      label: 'Build',
      hint: `${issued.secret.slice(0, 10)}…`,
      scopes: ['pages', 'data'],
      issuer: owner.handle,
      author_id: issued.id,
      client: null,
      client_id: null,
      agent: null,
      refused_at: null,
      created_at: issued.created_at,
      last_used_at: null,
      expires_at: null,
      replaced_at: null,
    })
    expect(JSON.stringify(await owner.keys.list({ subdomain }))).not.toContain(issued.secret)
  })

  test('allows only what its scopes allow', async () => {
    const { apiWith } = await service.createSpace()
    const api = await apiWith('data')
    expect((await api.get('/data')).status).toBe(200)
    expect((await api.get('/pages')).body.code).toBe('insufficient_scope')
  })

  test('stops working when it is revoked', async () => {
    const { owner, subdomain } = await service.createSpace()
    const { id, secret } = await owner.keys.issue({ subdomain, label: 'x', scopes: ['pages'] })
    const api = service.rest(secret, `/v1/spaces/${subdomain}`)
    expect((await api.get('/pages')).status).toBe(200)
    await owner.keys.revoke({ subdomain, key_id: id })
    expect((await api.get('/pages')).status).toBe(401)
    expect(await errorCodeOf(owner.keys.revoke({ subdomain, key_id: id }))).toBe('key_not_found')
  })

  test('shows when it was last used', async () => {
    const { owner, subdomain } = await service.createSpace()
    const { secret } = await owner.keys.issue({ subdomain, label: 'used', scopes: ['pages'] })
    await service.rest(secret, `/v1/spaces/${subdomain}`).get('/pages')
    await service.core.lastUsed.flush()
    const used = (await owner.keys.list({ subdomain })).find(({ label }) => label === 'used')
    expect(used?.last_used_at).toMatch(/^\d{4}-/)
  })

  test.each([
    ['no scope', { label: 'x', scopes: [] }, 'scopes'],
    ['no label', { label: ' ', scopes: ['pages' as const] }, 'label'],
    ['a long label', { label: 'x'.repeat(61), scopes: ['pages' as const] }, 'label'],
  ])('cannot be issued with %s', async (_, input, field) => {
    const { owner, subdomain } = await service.createSpace()
    expect(await errorFields(owner.keys.issue({ subdomain, ...input }))).toEqual([field])
  })

  test('cannot be revoked through another space', async () => {
    const mine = await service.createSpace()
    const theirs = await service.createSpace()
    const { id } = await theirs.owner.keys.issue({
      subdomain: theirs.subdomain,
      label: 'x',
      scopes: ['pages'],
    })
    const call = mine.owner.keys.revoke({ subdomain: mine.subdomain, key_id: id })
    expect(await errorCodeOf(call)).toBe('key_not_found')
  })
})
