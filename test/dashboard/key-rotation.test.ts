import { describe, expect, test } from 'vitest'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { concurrently, holdLocks, waitForBlocked } from '../support/transactions.ts'
import { DAY, lifetimeOf, passTime } from './support/key-times.ts'

const service = useTestService()

/** Overlaps are given in seconds. */
const HOUR = 3600
const WEEK = 604_800

const statusWith = async (secret: string, { subdomain }: TestSpace) =>
  (await service.rest(secret).get(`/spaces/${subdomain}`)).status

describe('rotating a key', () => {
  test('issues a key with the same label, scopes and lifetime; both keys work during the overlap', async () => {
    const space = await service.createSpace()
    const { owner, subdomain } = space
    const old = await owner.keys.issue({
      subdomain,
      label: 'Build',
      scopes: ['files', 'pages'],
      expires_in_days: 90,
    })
    await passTime(service, 'space_keys', '10 days')
    const fresh = await owner.keys.rotate({ subdomain, key_id: old.id, overlap_seconds: HOUR })
    expect(fresh).toMatchObject({ label: 'Build', scopes: ['pages', 'files'], replaced_at: null })
    expect(fresh.secret).not.toBe(old.secret)
    expect(lifetimeOf(fresh)).toBe(90 * DAY)
    expect(await statusWith(fresh.secret, space)).toBe(200)
    expect(await statusWith(old.secret, space)).toBe(200)

    await passTime(service, 'space_keys', '59 minutes')
    expect(await statusWith(old.secret, space)).toBe(200)
    await passTime(service, 'space_keys', '1 minute')
    expect(await statusWith(old.secret, space)).toBe(401)
    expect(await statusWith(fresh.secret, space)).toBe(200)
  })

  test('shows in the list which key is about to expire, and when', async () => {
    const { owner, subdomain } = await service.createSpace()
    const old = await owner.keys.issue({ subdomain, label: 'old', scopes: ['pages'] })
    await owner.keys.rotate({ subdomain, key_id: old.id, overlap_seconds: WEEK })
    const row = (await owner.keys.list({ subdomain })).find(({ id }) => id === old.id)!
    expect(Date.parse(row.expires_at!) - Date.parse(row.replaced_at!)).toBe(7 * DAY)
  })

  test('ends the old key immediately if there is no overlap', async () => {
    const space = await service.createSpace()
    const { owner, subdomain } = space
    const old = await owner.keys.issue({ subdomain, label: 'old', scopes: ['pages'] })
    const fresh = await owner.keys.rotate({ subdomain, key_id: old.id, overlap_seconds: 0 })
    expect(await statusWith(old.secret, space)).toBe(401)
    expect(await statusWith(fresh.secret, space)).toBe(200)
    expect((await owner.keys.list({ subdomain })).map(({ id }) => id)).not.toContain(old.id)
  })

  test('never extends the lifetime of the old key', async () => {
    const { owner, subdomain } = await service.createSpace()
    const old = await owner.keys.issue({ subdomain, label: 'x', scopes: ['pages'], expires_in_days: 30 })
    await passTime(service, 'space_keys', '29 days')
    const listed = async () => (await owner.keys.list({ subdomain })).find(({ id }) => id === old.id)!
    const before = await listed()
    await owner.keys.rotate({ subdomain, key_id: old.id, overlap_seconds: WEEK })
    expect((await listed()).expires_at).toBe(before.expires_at)
  })

  test('makes the caller the issuer, so that the new key still works after the first issuer leaves', async () => {
    const space = await service.createSpace()
    const { owner, subdomain } = space
    const guest = await space.join()
    const old = await guest.keys.issue({ subdomain, label: 'x', scopes: ['pages'] })
    const fresh = await owner.keys.rotate({ subdomain, key_id: old.id, overlap_seconds: HOUR })
    expect(fresh.issuer).toBe(owner.handle)
    await guest.participants.leave({ subdomain })
    expect(await statusWith(old.secret, space)).toBe(401)
    expect(await statusWith(fresh.secret, space)).toBe(200)
  })

  test('succeeds for only one of several concurrent callers', async () => {
    const space = await service.createSpace()
    const { owner, subdomain } = space
    const guest = await space.join()
    const { id } = await owner.keys.issue({ subdomain, label: 'raced', scopes: ['pages'] })
    const rotate = { subdomain, key_id: id, overlap_seconds: HOUR } as const
    const outcomes = await concurrently(
      service,
      [owner, guest, owner, guest].map(by => () => errorCodeOf(by.keys.rotate(rotate))),
      sql => sql.selectFrom('space_keys').where('id', '=', id).select('id').forUpdate().execute(),
      // Keep the lock until a new space is created, which takes some time. Meanwhile, the lock blocks the first caller,
      // and the other callers must wait for the first caller. A caller that did not wait would read the unchanged key.
      () => service.createSpace(),
    )
    expect(outcomes.filter(outcome => outcome === undefined)).toHaveLength(1)
    expect(outcomes.filter(outcome => outcome === 'key_ended')).toHaveLength(3)
    const raced = (await owner.keys.list({ subdomain })).filter(({ label }) => label === 'raced')
    expect(raced).toHaveLength(2)
  })

  test.each([0, HOUR] as const)(
    'with an overlap of %i s leaves only the new key if the old key is revoked during the rotation',
    async overlap_seconds => {
      const { owner, subdomain } = await service.createSpace()
      const { id } = await owner.keys.issue({ subdomain, label: 'raced', scopes: ['pages'] })
      // This lock stops the rotation after it has read the key and before it changes the key.
      const row = await holdLocks(service, sql =>
        sql.selectFrom('space_keys').where('id', '=', id).select('id').forUpdate().execute(),
      )
      const rotation = owner.keys.rotate({ subdomain, key_id: id, overlap_seconds })
      await waitForBlocked(service, 1)
      await row.run(sql => sql.deleteFrom('space_keys').where('id', '=', id).execute())
      await row.commit()
      const fresh = await rotation
      const keys = (await owner.keys.list({ subdomain })).filter(({ label }) => label === 'raced')
      expect(keys.map(key => key.id)).toEqual([fresh.id])
    },
  )

  test('leaves at most the new key if the old key is revoked at the same time', async () => {
    const { owner, subdomain } = await service.createSpace()
    const { id } = await owner.keys.issue({ subdomain, label: 'raced', scopes: ['pages'] })
    const [rotated, revoked] = await Promise.all([
      errorCodeOf(owner.keys.rotate({ subdomain, key_id: id, overlap_seconds: HOUR })),
      errorCodeOf(owner.keys.revoke({ subdomain, key_id: id })),
    ])
    expect(revoked).toBeUndefined()
    const left = (await owner.keys.list({ subdomain })).filter(({ label }) => label === 'raced')
    expect(left).toHaveLength(rotated === undefined ? 1 : 0)
    expect(left.map(key => key.id)).not.toContain(id)
  })

  test('does not leave a key behind if the issuer leaves the space at the same time', async () => {
    const space = await service.createSpace()
    const { owner, subdomain } = space
    const guest = await space.join()
    const { id } = await guest.keys.issue({ subdomain, label: 'raced', scopes: ['pages'] })
    const [rotated, left] = await Promise.all([
      errorCodeOf(guest.keys.rotate({ subdomain, key_id: id, overlap_seconds: HOUR })),
      errorCodeOf(guest.participants.leave({ subdomain })),
    ])
    expect(left).toBeUndefined()
    expect([undefined, 'space_not_found', 'key_not_found']).toContain(rotated)
    expect((await owner.keys.list({ subdomain })).map(({ label }) => label)).not.toContain('raced')
  })

  test('is rejected for an expired key', async () => {
    const { owner, subdomain } = await service.createSpace()
    const { id } = await owner.keys.issue({ subdomain, label: 'x', scopes: ['pages'], expires_in_days: 30 })
    await passTime(service, 'space_keys', '30 days')
    const call = owner.keys.rotate({ subdomain, key_id: id, overlap_seconds: 0 })
    expect(await errorCodeOf(call)).toBe('key_ended')
  })

  test.each([1, 3601, -1, 604_801])('rejects an overlap of %i seconds', async overlap_seconds => {
    const { owner, subdomain } = await service.createSpace()
    const { id } = await owner.keys.issue({ subdomain, label: 'x', scopes: ['pages'] })
    const wrong = { subdomain, key_id: id, overlap_seconds: overlap_seconds as 0 }
    expect(await errorFields(owner.keys.rotate(wrong))).toEqual(['overlap_seconds'])
  })
})

describe('a key', () => {
  test.each([
    'owner',
    'participant',
    'outsider',
    'former participant',
    'anonymous caller',
    'participant of another space',
  ] as const)('can be rotated only by participants of its space (caller: %s)', async who => {
    const space = await service.createSpace()
    const { owner, subdomain } = space
    const { id } = await owner.keys.issue({ subdomain, label: 'x', scopes: ['pages'] })
    const other = await service.createSpace()
    const rotate = { subdomain, key_id: id, overlap_seconds: 0 } as const
    const call = {
      owner: async () => owner.keys.rotate(rotate),
      participant: async () => (await space.join()).keys.rotate(rotate),
      outsider: async () => (await service.signUp()).keys.rotate(rotate),
      'former participant': async () => {
        const guest = await space.join()
        await guest.participants.leave({ subdomain })
        return guest.keys.rotate(rotate)
      },
      'anonymous caller': async () => service.anonymous().keys.rotate(rotate),
      'participant of another space': async () =>
        other.owner.keys.rotate({ ...rotate, subdomain: other.subdomain }),
    }[who]
    const expected = {
      owner: undefined,
      participant: undefined,
      outsider: 'space_not_found',
      'former participant': 'space_not_found',
      'anonymous caller': 'sign_in_required',
      'participant of another space': 'key_not_found',
    }[who]
    expect(await errorCodeOf(call())).toBe(expected)
  })
})
