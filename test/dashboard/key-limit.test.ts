import { describe, expect, test } from 'vitest'
import { limits } from '../../routers/api/rules.ts'
import { copyCredential } from '../support/copies.ts'
import { errorCodeOf } from '../support/problems.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { concurrentlyInSpace } from '../support/transactions.ts'

const service = useTestService()

const passTime = (interval: string) =>
  service.core.database.orm.em
    .fork()
    .execute(`update space_keys set expires_at = expires_at - interval '${interval}'`)

const issue = ({ owner, subdomain }: TestSpace, expires_in_days: 30 | null = null) =>
  owner.keys.issue({ subdomain, label: 'x', scopes: ['pages'], expires_in_days })

const rotate = ({ owner, subdomain }: TestSpace, key_id: string, overlap_seconds: 0 | 604_800) =>
  owner.keys.rotate({ subdomain, key_id, overlap_seconds })

const list = ({ owner, subdomain }: TestSpace) => owner.keys.list({ subdomain })

/** Creates a space that can have only `left` more keys. */
const fullSpace = async (left = 0) => {
  const space = await service.createSpace()
  // Every new test space already has one key.
  const { id } = await issue(space)
  await copyCredential(service, 'space_keys', id, limits.keys - left - 2)
  return space
}

describe('the limit of keys in a space', () => {
  test('allows another key only after one is revoked', async () => {
    const space = await fullSpace()
    const { owner, subdomain } = space
    expect(await errorCodeOf(issue(space))).toBe('too_many_keys')
    const [one] = await list(space)
    await owner.keys.revoke({ subdomain, key_id: one!.id })
    expect(await errorCodeOf(issue(space))).toBeUndefined()
    expect(await list(space)).toHaveLength(limits.keys)
    expect(await errorCodeOf(issue(await service.createSpace(undefined, owner)))).toBeUndefined()
  })

  test('is explained in the error, which also says what to do', async () => {
    await expect(issue(await fullSpace())).rejects.toThrow(
      `A space can have at most ${limits.keys} keys and connected apps. Revoke one you no longer use, then try again.`,
    )
  })

  test('lets only one of four concurrent calls issue the last possible key', async () => {
    const space = await fullSpace(1)
    const call = () => errorCodeOf(issue(space))
    const outcomes = await concurrentlyInSpace(service, space.subdomain, [call, call, call, call])
    expect(outcomes.filter(outcome => outcome === undefined)).toHaveLength(1)
    expect(outcomes.filter(outcome => outcome === 'too_many_keys')).toHaveLength(3)
  })

  test.each([0, 604_800] as const)('still allows key rotations, with an overlap of %i s', async overlap => {
    const space = await fullSpace()
    const [one, another] = await list(space)
    await rotate(space, one!.id, overlap)
    const fresh = await rotate(space, another!.id, overlap)
    await rotate(space, fresh.id, overlap)
    expect((await list(space)).filter(({ replaced_at }) => replaced_at === null)).toHaveLength(limits.keys)
    expect(await errorCodeOf(issue(space))).toBe('too_many_keys')
  })
})

test('expired keys do not count towards the limit', async () => {
  const space = await service.createSpace()
  const { id } = await issue(space, 30)
  await copyCredential(service, 'space_keys', id, limits.keys - 2)
  expect(await errorCodeOf(issue(space))).toBe('too_many_keys')
  await passTime('30 days')
  expect(await errorCodeOf(issue(space))).toBeUndefined()
})

test('a space keeps every working key, but only its latest expired keys', async () => {
  const space = await service.createSpace()
  const old = await issue(space, 30)
  await passTime('31 days')
  const { id: other } = await issue(space, 30)
  await copyCredential(service, 'space_keys', other, limits.keys - 2)
  await passTime('30 days')
  const ids = async () => (await list(space)).map(({ id }) => id)
  const fresh = await issue(space)
  expect(await ids()).toContain(old.id)
  const ending = await issue(space, 30)
  await passTime('30 days')
  const last = await issue(space)
  expect(await ids()).not.toContain(old.id)
  expect(await ids()).toEqual(expect.arrayContaining([fresh.id, ending.id, last.id]))
  expect((await list(space)).filter(({ expires_at }) => expires_at)).toHaveLength(limits.keys)
})

test('replaced keys that still work have a separate limit, which equals the limit for new keys', async () => {
  const space = await service.createSpace()
  const old = await issue(space)
  const { id: next } = await rotate(space, old.id, 604_800)
  await copyCredential(service, 'space_keys', old.id, limits.keys - 2)
  const { id } = await rotate(space, next, 604_800)
  expect(await errorCodeOf(rotate(space, id, 604_800))).toBe('too_many_keys')
  const fresh = await rotate(space, id, 0)
  await passTime('7 days')
  expect(await errorCodeOf(rotate(space, fresh.id, 604_800))).toBeUndefined()
})
