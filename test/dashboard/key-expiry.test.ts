import { describe, expect, test } from 'vitest'
import { errorFields } from '../support/problems.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { DAY, lifetimeOf, passTime } from './support/key-times.ts'

const service = useTestService()

const statusWith = async (secret: string, { subdomain }: TestSpace) =>
  (await service.rest(secret).get(`/spaces/${subdomain}`)).status

describe('a key with an expiry', () => {
  test.each([30, 90, 365] as const)('works until the end of its lifetime of %i days', async days => {
    const space = await service.createSpace()
    const { subdomain } = space
    const key = await space.owner.keys.issue({
      subdomain,
      label: 'x',
      scopes: ['pages'],
      expires_in_days: days,
    })
    expect(lifetimeOf(key)).toBe(days * DAY)
    const listed = await space.owner.keys.list({ subdomain })
    expect(listed.find(({ id }) => id === key.id)?.expires_at).toBe(key.expires_at)
    await passTime(service, 'space_keys', `${days} days - 1 minute`)
    expect(await statusWith(key.secret, space)).toBe(200)
    await passTime(service, 'space_keys', '1 minute')
    expect(await statusWith(key.secret, space)).toBe(401)
  })

  test('is rejected like an unknown key after it expired', async () => {
    const space = await service.createSpace()
    const { subdomain, owner } = space
    const { secret } = await owner.keys.issue({
      subdomain,
      label: 'x',
      scopes: ['pages'],
      expires_in_days: 30,
    })
    await passTime(service, 'space_keys', '30 days')
    const expired = await service.rest(secret).get(`/spaces/${subdomain}`)
    const unknown = await service.rest('ss_sk_nothing').get(`/spaces/${subdomain}`)
    expect(expired.body).toEqual(unknown.body)
    expect(expired.status).toBe(401)
  })

  test('stays in the list after it has expired, until it is deleted', async () => {
    const { owner, subdomain } = await service.createSpace()
    const { id } = await owner.keys.issue({ subdomain, label: 'x', scopes: ['pages'], expires_in_days: 30 })
    await passTime(service, 'space_keys', '31 days')
    expect((await owner.keys.list({ subdomain })).map(key => key.id)).toContain(id)
    await owner.keys.revoke({ subdomain, key_id: id })
    expect((await owner.keys.list({ subdomain })).map(key => key.id)).not.toContain(id)
  })

  test.each([0, 1, 31, 30.5, -30, '30'])('cannot be issued with a lifetime of %j days', async days => {
    const { owner, subdomain } = await service.createSpace()
    const wrong = { subdomain, label: 'x', scopes: ['pages' as const], expires_in_days: days as 30 }
    expect(await errorFields(owner.keys.issue(wrong))).toEqual(['expires_in_days'])
  })
})
