/** Tests reads with a recently used key. The service starts such a read while the database still checks the key. */
import { describe, expect, it } from 'vitest'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService({ callsPerMinute: 60 })

/** Creates a space with a record, and reads the record with a new key, which the service then remembers. */
const spaceWithKnownKey = async () => {
  const space = await service.createSpace()
  await space.api.put('/data/kept', { value: 1 })
  const secret = await space.key('data')
  const api = service.rest(secret)
  const read = () => api.get(`/spaces/${space.subdomain}/data/kept`)
  expect((await read()).status).toBe(200)
  return { space, api, read }
}

const revoke = async ({ owner, subdomain }: TestSpace) => {
  const keys = await owner.keys.list({ subdomain })
  const { id } = keys.find(({ scopes }) => scopes.join() === 'data')!
  await owner.keys.revoke({ subdomain, key_id: id })
}

describe('a key that was used before', () => {
  it('is refused in the next read after it is revoked', async () => {
    const { space, read } = await spaceWithKnownKey()
    await revoke(space)
    for (let call = 0; call < 2; call++) expect((await read()).body.code).toBe('unauthorized')
  })

  it('gets a refusal without rate limit headers after it is revoked', async () => {
    const { space, read } = await spaceWithKnownKey()
    while ((await read()).status === 200);
    await revoke(space)
    const { status, headers } = await read()
    expect(status).toBe(401)
    expect(headers.get('ratelimit-remaining')).toBeNull()
    expect(headers.get('etag')).toBeNull()
  })

  it('gets the new name of its space after a rename, and each request is counted once', async () => {
    const { space, api } = await spaceWithKnownKey()
    const path = `/spaces/${space.subdomain}`
    const before = await api.get(path)
    await space.owner.spaces.rename({ subdomain: space.subdomain, name: 'A new name' })
    const after = await api.get(path)
    expect(after.body.name).toBe('A new name')
    const remaining = ({ headers }: typeof before) => Number(headers.get('ratelimit-remaining'))
    expect(remaining(before) - remaining(after)).toBe(1)
  })

  it('goes through the checks of a read in the same order as a new key does', async () => {
    const { space, api } = await spaceWithKnownKey()
    const other = await service.createSpace()
    expect((await api.get(`/spaces/${other.subdomain}/pages`)).body.code).toBe('space_mismatch')
    expect((await api.get(`/spaces/${space.subdomain}/pages`)).body.code).toBe('insufficient_scope')
    expect((await api.get(`/spaces/${space.subdomain}/data/none`)).body.code).toBe('data_not_found')
    while ((await api.get(`/spaces/${other.subdomain}/pages`)).status !== 429);
    expect((await api.get(`/spaces/${space.subdomain}/pages`)).body.code).toBe('rate_limited')
    await revoke(space)
    expect((await api.get(`/spaces/${other.subdomain}/pages`)).body.code).toBe('unauthorized')
  })
})
