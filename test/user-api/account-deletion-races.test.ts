import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { holdLocks, lockSpace, waitForBlocked } from '../support/transactions.ts'

const service = useTestService()

const invitationOf = async ({ owner, subdomain }: { owner: Person; subdomain: string }) => {
  const { url } = await owner.invites.create({ subdomain })
  return { token: new URL(url).hash.slice(1) }
}

const leave = (person: Person) => errorCodeOf(person.accounts.delete({ confirm: person.handle }))

const accountOf = ({ handle }: Person) =>
  service.core.database
    .selectFrom('accounts')
    .where('handle', '=', handle)
    .select('id')
    .executeTakeFirstOrThrow()

const faults = () => service.log.filter(({ msg }) => msg === 'fault')

describe('deleting an account', () => {
  it('prevents the account from accepting an invitation at the same time, and leaves the invitation open', async () => {
    const space = await service.createSpace()
    const [guest, other] = await Promise.all([service.signUp(), service.signUp()])
    const invitation = await invitationOf(space)
    const { id } = await accountOf(guest)
    const deletion = await holdLocks(service, db => db.deleteFrom('accounts').where('id', '=', id).execute())
    const accepted = errorCodeOf(guest.invites.accept(invitation))
    await waitForBlocked(service, 1)
    await deletion.commit()
    expect(await accepted).toBe('sign_in_required')
    expect(await other.invites.accept(invitation)).toMatchObject({ subdomain: space.subdomain })
    expect(faults()).toEqual([])
  })

  it('causes no internal error if another account accepts an invitation from the deleted account at the same time', async () => {
    const space = await service.createSpace()
    const [inviter, guest] = await Promise.all([service.signUp(), service.signUp()])
    await inviter.invites.accept(await invitationOf(space))
    const invitation = await invitationOf({ owner: inviter, subdomain: space.subdomain })
    // The deletion waits for this lock of the space. Meanwhile, the other account accepts the invitation.
    const accepting = await holdLocks(service, db => lockSpace(db, space.subdomain, 'forKeyShare'))
    const left = leave(inviter)
    await waitForBlocked(service, 1)
    const accepted = errorCodeOf(guest.invites.accept(invitation))
    await accepting.commit()
    expect(await left).toBeUndefined()
    expect([undefined, 'invite_not_found']).toContain(await accepted)
    expect(faults()).toEqual([])
  })

  it('succeeds despite a deadlock with an upload by the same account', async () => {
    const space = await service.createSpace()
    const { subdomain } = space
    const guest = await service.signUp()
    const { id } = await accountOf(guest)
    const invitation = await invitationOf(space)
    // The deletion has found that the account is in no space, and waits for the account's lock. Meanwhile, the account
    // joins a space and begins an upload to it.
    const account = await holdLocks(service, db =>
      db.selectFrom('accounts').where('id', '=', id).select('id').forKeyShare().execute(),
    )
    const left = leave(guest)
    await waitForBlocked(service, 1)
    await guest.invites.accept(invitation)
    const files = await holdLocks(service, db => sql`lock table files in access exclusive mode`.execute(db))
    const upload = errorCodeOf(
      guest.files.create({ subdomain, name: 'a.txt', content: 'x', encoding: 'text' }),
    )
    await waitForBlocked(service, 2)
    // Now the deletion holds the account's lock and waits for the space's lock, which the upload holds.
    await account.commit()
    // Wait longer than PostgreSQL's deadlock_timeout, so that PostgreSQL detects this deadlock.
    await setTimeout(1_500)
    await files.commit()
    expect(await left).toBeUndefined()
    expect([undefined, 'unauthorized']).toContain(await upload)
    expect(await space.owner.participants.list({ subdomain })).toHaveLength(1)
    expect(faults()).toEqual([])
  })
})
