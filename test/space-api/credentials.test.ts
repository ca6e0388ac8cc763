import { describe, expect, it } from 'vitest'
import { hashSecret } from '../../routers/api/secret.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()

const sql = () => service.core.database

const status = async (secret: string, { subdomain }: TestSpace) =>
  (await service.rest(secret).get(`/spaces/${subdomain}`)).status

describe('a key', () => {
  it('consists of a prefix, 32 random characters and a checksum of 6 characters', async () => {
    const space = await service.createSpace()
    const keys = await Promise.all([space.key('pages'), space.key('pages')])
    for (const key of keys) expect(key).toMatch(/^ss_sk_[0-9A-Za-z]{38}$/)
    expect(keys[0]).not.toBe(keys[1])
  })

  it('is stored only as a hash of its secret', async () => {
    const space = await service.createSpace()
    const secret = await space.key('pages')
    const rows = await sql().selectFrom('space_keys').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      const { secret_hash, ...rest } = row
      expect(JSON.stringify(rest)).not.toContain(secret.slice(10))
      expect(secret_hash).toHaveLength(32)
    }
  })

  it('stops working when it is revoked, but other keys keep working', async () => {
    const space = await service.createSpace()
    const [first, second] = [await space.key('pages'), await space.key('data')]
    const keys = await space.owner.keys.list({ subdomain: space.subdomain })
    const { id } = keys.find(({ scopes }) => scopes.join() === 'pages')!
    await space.owner.keys.revoke({ subdomain: space.subdomain, key_id: id })
    expect(await status(first, space)).toBe(401)
    expect(await status(second, space)).toBe(200)
  })

  it('works until it expires', async () => {
    const space = await service.createSpace()
    const secret = await space.key('pages')
    const endAt = (time: number) =>
      sql()
        .updateTable('space_keys')
        .set({ expires_at: new Date(time) })
        .where('secret_hash', '=', hashSecret(secret))
        .execute()
    await endAt(Date.now() + 60_000)
    expect(await status(secret, space)).toBe(200)
    await endAt(Date.now() - 1)
    expect(await status(secret, space)).toBe(401)
  })

  it('stops working permanently when its issuer leaves the space', async () => {
    const space = await service.createSpace()
    const guest = await space.join()
    const { secret } = await guest.keys.issue({ subdomain: space.subdomain, label: 'x', scopes: ['pages'] })
    expect(await status(secret, space)).toBe(200)
    await guest.participants.leave({ subdomain: space.subdomain })
    expect(await status(secret, space)).toBe(401)
    await space.join(guest)
    expect(await status(secret, space)).toBe(401)
    const keys = await space.owner.keys.list({ subdomain: space.subdomain })
    expect(keys.map(({ issuer }) => issuer)).not.toContain(guest.handle)
    expect((await space.api.get('')).status).toBe(200)
  })

  it('is deleted with the account of its issuer', async () => {
    const space = await service.createSpace()
    const guest = await space.join()
    const { secret } = await guest.keys.issue({ subdomain: space.subdomain, label: 'x', scopes: ['pages'] })
    await sql().deleteFrom('accounts').where('handle', '=', guest.handle).execute()
    expect(await status(secret, space)).toBe(401)
  })

  it('is deleted with its space, and stays invalid when a new space gets the same subdomain', async () => {
    const space = await service.createSpace()
    const secret = await space.key('pages')
    await space.owner.spaces.delete({ subdomain: space.subdomain, confirm: space.subdomain })
    expect(await status(secret, space)).toBe(401)
    await service.createSpace(space.subdomain)
    expect(await status(secret, space)).toBe(401)
  })

  it('shows its scopes in a fixed order', async () => {
    const space = await service.createSpace()
    const api = await space.apiWith('files_write', 'pages', 'data')
    expect((await api.get('')).body.scopes).toEqual(['pages', 'data', 'files_write'])
  })

  it('shows when it was last used', async () => {
    const space = await service.createSpace()
    const secret = await space.key('data')
    const find = async () =>
      (await space.owner.keys.list({ subdomain: space.subdomain })).find(
        ({ scopes }) => scopes.join() === 'data',
      )!
    expect((await find()).last_used_at).toBeNull()
    const before = Date.now()
    expect(await status(secret, space)).toBe(200)
    await service.core.lastUsed.flush()
    const at = Date.parse((await find()).last_used_at!)
    expect(at).toBeGreaterThanOrEqual(before)
    expect(at).toBeLessThanOrEqual(Date.now())
  })

  it('is never written to the log', async () => {
    const space = await service.createSpace()
    const secret = await space.key('data')
    await status(secret, space)
    await service.rest().get(`/spaces/${space.subdomain}?key=${secret}`)
    expect(service.log.length).toBeGreaterThan(0)
    expect(JSON.stringify(service.log)).not.toContain(secret)
  })
})
