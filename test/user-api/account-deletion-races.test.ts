import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Sql, sqlOf } from '../../db/orm.ts'
import { failure } from '../support/problems.ts'
import { hold, untilWaiting } from '../support/transactions.ts'
import { type Person, useWorld } from '../support/world.ts'

const world = useWorld()

const invitationOf = async ({ owner, subdomain }: { owner: Person; subdomain: string }) => {
  const { url } = await owner.invites.create({ subdomain })
  return { token: new URL(url).hash.slice(1) }
}

const leave = (person: Person) => failure(person.accounts.delete({ confirm: person.handle }))

const accountOf = ({ handle }: Person) =>
  sqlOf(world.service.core.orm)
    .selectFrom('accounts')
    .where('handle', '=', handle)
    .select('id')
    .executeTakeFirstOrThrow()

const faults = () => world.log.filter(({ msg }) => msg === 'fault')

describe('deleting an account', () => {
  it('that is accepting an invitation joins no space and leaves the invitation open', async () => {
    const space = await world.space()
    const [guest, other] = await Promise.all([world.person(), world.person()])
    const invitation = await invitationOf(space)
    const { id } = await accountOf(guest)
    const deletion = await hold(world, db => db.deleteFrom('accounts').where('id', '=', id).execute())
    const accepted = failure(guest.invites.accept(invitation))
    await untilWaiting(world, 1)
    await deletion.commit()
    expect(await accepted).toBe('sign_in_required')
    expect(await other.invites.accept(invitation)).toMatchObject({ subdomain: space.subdomain })
    expect(faults()).toEqual([])
  })

  it('whose invitation is being accepted causes no internal error in either order', async () => {
    const space = await world.space()
    const [inviter, guest] = await Promise.all([world.person(), world.person()])
    await inviter.invites.accept(await invitationOf(space))
    const invitation = await invitationOf({ owner: inviter, subdomain: space.subdomain })
    // The order of `invites.accept`: the space is locked first, then the invitation is used.
    const accepting = await hold(world, db => lockedSpace(db, space.subdomain).forKeyShare().execute())
    const left = leave(inviter)
    await untilWaiting(world, 1)
    const accepted = failure(guest.invites.accept(invitation))
    await accepting.commit()
    expect(await left).toBeUndefined()
    expect([undefined, 'invite_not_found']).toContain(await accepted)
    expect(faults()).toEqual([])
  })

  it('that is uploading to a space it has just joined recovers from the deadlock', async () => {
    const space = await world.space()
    const { subdomain } = space
    const guest = await world.person()
    const { id } = await accountOf(guest)
    const invitation = await invitationOf(space)
    // The deletion finds no space and waits for the account, while that joins one and begins to write to it.
    const account = await hold(world, db =>
      db.selectFrom('accounts').where('id', '=', id).select('id').forKeyShare().execute(),
    )
    const left = leave(guest)
    await untilWaiting(world, 1)
    await guest.invites.accept(invitation)
    const files = await hold(world, db => sql`lock table files in access exclusive mode`.execute(db))
    const upload = failure(guest.files.create({ subdomain, name: 'a.txt', content: 'x', encoding: 'text' }))
    await untilWaiting(world, 2)
    // Now the deletion has the account and waits for the space, which the upload has.
    await account.commit()
    // Longer than PostgreSQL's deadlock_timeout, so that the upload detects the deadlock.
    await setTimeout(1_500)
    await files.commit()
    expect(await left).toBeUndefined()
    expect([undefined, 'unauthorized']).toContain(await upload)
    expect(await space.owner.participants.list({ subdomain })).toHaveLength(1)
    expect(faults()).toEqual([])
  }, 20_000)
})

const lockedSpace = (db: Sql, subdomain: string) =>
  db.selectFrom('spaces').where('subdomain', '=', subdomain).select('id')
