import { expect, test } from 'vitest'
import { limits } from '../../routers/api/rules.ts'
import { errorCodeOf } from '../support/problems.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { concurrentlyInSpace } from '../support/transactions.ts'

const service = useTestService()

const invite = ({ owner, subdomain }: TestSpace) => owner.invites.create({ subdomain })

/** Creates a space whose number of open invitations is `left` below the limit. */
const fullSpace = async (left = 0) => {
  const space = await service.createSpace()
  for (let i = 0; i < limits.openInvites - left; i++) await invite(space)
  return space
}

test('a space at its limit of open invitations gets no new invitation until an old one is revoked', async () => {
  const space = await fullSpace()
  const { owner, subdomain } = space
  expect(await errorCodeOf(invite(space))).toBe('too_many_invites')
  await expect(invite(space)).rejects.toThrow('A space can have at most 50 open invitations.')
  const [one] = await owner.invites.list({ subdomain })
  await owner.invites.withdraw({ subdomain, invite_id: one!.id })
  expect(await errorCodeOf(invite(space))).toBeUndefined()
})

test('an accepted invitation no longer counts towards the limit', async () => {
  const space = await fullSpace(1)
  const { url } = await invite(space)
  const guest = await service.signUp()
  await guest.invites.accept({ token: new URL(url).hash.slice(1) })
  expect(await errorCodeOf(guest.invites.create({ subdomain: space.subdomain }))).toBeUndefined()
  expect(await errorCodeOf(guest.invites.create({ subdomain: space.subdomain }))).toBe('too_many_invites')
})

test('only one of four concurrent calls creates the last invitation', async () => {
  const space = await fullSpace(1)
  const call = () => errorCodeOf(invite(space))
  const outcomes = await concurrentlyInSpace(service, space.subdomain, [call, call, call, call])
  expect(outcomes.filter(outcome => outcome === undefined)).toHaveLength(1)
  expect(outcomes.filter(outcome => outcome === 'too_many_invites')).toHaveLength(3)
})

test('expired invitations do not count towards the limit', async () => {
  const space = await fullSpace()
  await service.core.database.orm.em
    .fork()
    .execute(`update invites set expires_at = expires_at - interval '7 days'`)
  expect(await errorCodeOf(invite(space))).toBeUndefined()
})
