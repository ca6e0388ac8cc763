/** The roles of participants: who can change them, what ends with them, and that a space always keeps an owner. */
import { describe, expect, test } from 'vitest'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { type Person, type TestSpace, useTestService } from '../support/test-service.ts'
import { concurrentlyInSpace } from '../support/transactions.ts'
import { signInMover } from '../transfer/support/browser-session.ts'

const service = useTestService()

const idOf = async ({ owner, subdomain }: TestSpace, { handle }: Person) =>
  (await owner.participants.list({ subdomain })).find(one => one.handle === handle)!.id

/** Changes the role of a participant, by default as the first owner of the space. */
const setRole = async (
  space: TestSpace,
  person: Person,
  role: 'owner' | 'editor',
  caller: Person = space.owner,
) =>
  caller.participants.setRole({
    subdomain: space.subdomain,
    participant_id: await idOf(space, person),
    role,
  })

const remove = async (space: TestSpace, person: Person, caller: Person = space.owner) =>
  caller.participants.remove({ subdomain: space.subdomain, participant_id: await idOf(space, person) })

const rolesOf = async (person: Person, subdomain: string) =>
  (await person.participants.list({ subdomain })).map(({ role }) => role).toSorted()

/** Creates a space with another participant. */
const shared = async (role: 'owner' | 'editor' = 'owner') => {
  const space = await service.createSpace()
  return { ...space, guest: await space.join(undefined, role) }
}

/** What a person can have issued in a space, and calls that show whether it still works. */
const issueAll = async (person: Person, subdomain: string) => {
  const { secret } = await person.keys.issue({ subdomain, label: 'deploy', scopes: ['pages'] })
  await person.webhooks.add({
    subdomain,
    url: 'https://receiver.example/hook',
    events: ['page.created'],
  })
  const { url } = await person.invites.create({ subdomain })
  const api = service.rest(secret, `/v1/spaces/${subdomain}`)
  return async (owner: Person) => ({
    key: (await api.get('')).status,
    webhooks: (await owner.webhooks.list({ subdomain })).length,
    invitation: await errorCodeOf(service.anonymous().invites.look({ token: new URL(url).hash.slice(1) })),
  })
}

const WORKING = { key: 200, webhooks: 1, invitation: undefined }
const ENDED = { key: 401, webhooks: 0, invitation: 'invite_not_found' }

describe('the role of a participant', () => {
  test('is owner for whoever creates the space or joins by an invitation without a role', async () => {
    const { guest, subdomain } = await shared()
    expect(await rolesOf(guest, subdomain)).toEqual(['owner', 'owner'])
    expect(await guest.spaces.list()).toMatchObject([{ subdomain, role: 'owner' }])
  })

  test('is that of the invitation, which says it before it is accepted', async () => {
    const { owner, subdomain } = await service.createSpace()
    const { url, role } = await owner.invites.create({ subdomain, role: 'editor' })
    const token = new URL(url).hash.slice(1)
    expect(role).toBe('editor')
    expect(await owner.invites.list({ subdomain })).toMatchObject([{ role: 'editor' }])
    expect(await service.anonymous().invites.look({ token })).toMatchObject({ role: 'editor' })
    const guest = await service.signUp()
    await guest.invites.accept({ token })
    expect(await guest.spaces.list()).toMatchObject([{ subdomain, role: 'editor' }])
  })

  test('is refused if it is unknown', async () => {
    const space = await shared()
    const role = 'chief' as 'owner'
    expect(await errorFields(setRole(space, space.guest, role))).toEqual(['role'])
    expect(await errorFields(space.owner.invites.create({ subdomain: space.subdomain, role }))).toEqual([
      'role',
    ])
  })

  test('can be changed in both directions, also one’s own, with an event and a notification', async () => {
    const space = await shared()
    const { owner, guest, subdomain } = space
    await setRole(space, guest, 'editor')
    await setRole(space, guest, 'owner')
    await setRole(space, guest, 'owner')
    await setRole(space, owner, 'editor')
    expect(await rolesOf(guest, subdomain)).toEqual(['editor', 'owner'])
    const { events } = await guest.audit.ofSpace({ subdomain, topic: 'participants' })
    expect(events.slice(0, 3)).toMatchObject([
      { kind: 'role_changed', handle: owner.handle, label: owner.handle, role: 'editor' },
      { kind: 'role_changed', handle: owner.handle, label: guest.handle, role: 'owner' },
      { kind: 'role_changed', handle: owner.handle, label: guest.handle, role: 'editor' },
    ])
    expect((await guest.notifications.list({})).notifications).toMatchObject([
      { kind: 'made_owner', space: { subdomain } },
      { kind: 'made_editor', space: { subdomain } },
    ])
    expect((await owner.notifications.list({})).notifications).toEqual([])
  })

  test('cannot be changed with the id of another space', async () => {
    const space = await shared()
    const other = await shared()
    const participant_id = await idOf(other, other.guest)
    const foreign = { subdomain: space.subdomain, participant_id }
    const { participants } = space.owner
    expect(await errorCodeOf(participants.setRole({ ...foreign, role: 'editor' }))).toBe(
      'participant_not_found',
    )
    expect(await errorCodeOf(participants.remove(foreign))).toBe('participant_not_found')
    expect(await rolesOf(other.owner, other.subdomain)).toEqual(['owner', 'owner'])
  })

  test('can be changed only soon after signing in', async () => {
    const space = await shared()
    const id = await idOf(space, space.guest)
    await service.core.database
      .updateTable('sessions')
      .set({ confirmed_at: new Date(0) })
      .execute()
    const { participants } = space.owner
    const target = { subdomain: space.subdomain, participant_id: id }
    expect(await errorCodeOf(participants.setRole({ ...target, role: 'editor' }))).toBe(
      'confirmation_required',
    )
    expect(await errorCodeOf(participants.remove(target))).toBe('confirmation_required')
  })
})

describe('what an owner has issued', () => {
  test('ends when the owner becomes an editor, with events that say why, and does not come back', async () => {
    const space = await shared()
    const { owner, guest, subdomain } = space
    const state = await issueAll(guest, subdomain)
    expect(await state(owner)).toEqual(WORKING)
    await setRole(space, guest, 'editor')
    expect(await state(owner)).toEqual(ENDED)
    const { events } = await owner.audit.ofSpace({ subdomain })
    const why = { handle: owner.handle, role: 'editor', reason: null }
    expect(events.slice(0, 3)).toMatchObject([
      { kind: 'role_changed' },
      { kind: 'webhook_removed', label: 'receiver.example', ...why },
      { kind: 'key_revoked', label: 'deploy', ...why },
    ])
    await setRole(space, guest, 'owner')
    expect(await state(owner)).toEqual(ENDED)
  })

  test('stays if the change of the role is refused', async () => {
    const space = await shared('editor')
    const state = await issueAll(space.owner, space.subdomain)
    expect(await errorCodeOf(setRole(space, space.owner, 'editor'))).toBe('last_owner')
    expect(await state(space.owner)).toEqual(WORKING)
  })

  test.each([
    ['is removed', (space: TestSpace, guest: Person) => remove(space, guest), true],
    ['leaves', ({ subdomain }: TestSpace, guest: Person) => guest.participants.leave({ subdomain }), false],
  ])('ends when the owner %s', async (_, end, isRemoved) => {
    const space = await shared()
    const { owner, guest, subdomain } = space
    const state = await issueAll(guest, subdomain)
    await end(space, guest)
    expect(await state(owner)).toEqual(ENDED)
    expect(await errorCodeOf(guest.participants.list({ subdomain }))).toBe('space_not_found')
    const { events } = await owner.audit.ofSpace({ subdomain })
    const by = { handle: isRemoved ? owner.handle : guest.handle }
    expect(events.slice(0, 3)).toMatchObject([
      isRemoved
        ? { kind: 'participant_removed', label: guest.handle, ...by }
        : { kind: 'participant_left', ...by },
      { kind: 'webhook_removed', label: 'receiver.example', reason: 'issuer_left', ...by },
      { kind: 'key_revoked', label: 'deploy', reason: 'issuer_left', ...by },
    ])
  })
})

describe('removing a participant', () => {
  test('notifies the person, whose drafts in the space are deleted', async () => {
    const space = await shared('editor')
    const { owner, guest, subdomain } = space
    const place = { subdomain, kind: 'page', thing: 'new1new1new1new1' } as const
    const fields = { slug: 'x', kind: 'static', html: 'secret' } as const
    await guest.unsaved.keep({ ...place, is_new: true, fields, base: null })
    await remove(space, guest)
    expect((await guest.notifications.list({})).notifications).toMatchObject([
      { kind: 'removed_from_space', text: `The ${subdomain}`, space: null },
    ])
    expect((await guest.notifications.unread()).count).toBe(1)
    await space.join(guest, 'editor')
    expect(await guest.unsaved.list({ subdomain })).toEqual({ drafts: [] })
    expect(await rolesOf(owner, subdomain)).toEqual(['editor', 'owner'])
  })

  test('is refused for oneself, who can leave instead', async () => {
    const space = await shared()
    expect(await errorFields(remove(space, space.owner))).toEqual(['participant_id'])
    expect(await rolesOf(space.owner, space.subdomain)).toEqual(['owner', 'owner'])
  })

  test('is not undone by what the person did at the same time', async () => {
    const space = await shared()
    const { guest, subdomain } = space
    const id = await idOf(space, guest)
    const [removed, issued] = await concurrentlyInSpace<string | undefined>(service, subdomain, [
      () => errorCodeOf(space.owner.participants.remove({ subdomain, participant_id: id })),
      () => errorCodeOf(guest.keys.issue({ subdomain, label: 'late', scopes: ['pages'] })),
    ])
    expect(removed).toBeUndefined()
    expect([undefined, 'space_not_found']).toContain(issued)
    const labels = (await space.owner.keys.list({ subdomain })).map(({ label }) => label)
    expect(labels).not.toContain('late')
  })
})

describe('the last owner', () => {
  test('can neither leave nor become an editor while there are editors', async () => {
    const space = await shared('editor')
    const { owner, guest, subdomain } = space
    expect(await errorCodeOf(owner.participants.leave({ subdomain }))).toBe('last_owner')
    expect(await errorCodeOf(setRole(space, owner, 'editor'))).toBe('last_owner')
    await setRole(space, guest, 'owner')
    expect(await errorCodeOf(owner.participants.leave({ subdomain }))).toBeUndefined()
    expect(await rolesOf(guest, subdomain)).toEqual(['owner'])
  })

  test('cannot become an editor without other participants either', async () => {
    const space = await service.createSpace()
    expect(await errorCodeOf(setRole(space, space.owner, 'editor'))).toBe('last_participant')
  })

  test('stays if ten owners make each other editors, remove each other and leave at once', async () => {
    const space = await service.createSpace()
    const { subdomain } = space
    const others: Person[] = []
    for (let n = 0; n < 9; n++) others.push(await space.join())
    await space.join(undefined, 'editor')
    const owners = [space.owner, ...others]
    const ids = await Promise.all(owners.map(owner => idOf(space, owner)))
    const outcomes = await concurrentlyInSpace(
      service,
      subdomain,
      owners.map(({ participants }, n) => () => {
        const target = { subdomain, participant_id: ids[(n + 1) % owners.length]! }
        if (n % 3 === 0) return errorCodeOf(participants.setRole({ ...target, role: 'editor' }))
        return errorCodeOf(n % 3 === 1 ? participants.remove(target) : participants.leave({ subdomain }))
      }),
    )
    const known = new Set([
      undefined,
      'owners_only',
      'space_not_found',
      'participant_not_found',
      'last_owner',
    ])
    expect(outcomes.filter(outcome => !known.has(outcome))).toEqual([])
    const left = await service.core.database
      .selectFrom('participants')
      .where('id', 'in', ids)
      .where('role', '=', 'owner')
      .select('id')
      .execute()
    expect(left.length).toBeGreaterThan(0)
  })

  test('stays if all owners make themselves editors at once', async () => {
    const space = await service.createSpace()
    const { subdomain } = space
    const owners = [space.owner]
    for (let n = 0; n < 9; n++) owners.push(await space.join())
    const ids = await Promise.all(owners.map(owner => idOf(space, owner)))
    const outcomes = await concurrentlyInSpace(
      service,
      subdomain,
      owners.map(
        ({ participants }, n) =>
          () =>
            errorCodeOf(participants.setRole({ subdomain, participant_id: ids[n]!, role: 'editor' })),
      ),
    )
    expect(outcomes.filter(outcome => outcome === 'last_owner')).toHaveLength(1)
    expect((await rolesOf(space.owner, subdomain)).filter(role => role === 'owner')).toHaveLength(1)
  })
})

describe('an editor', () => {
  test('changes, restores and undoes content, but not the name or icon of the space', async () => {
    const { owner, guest, subdomain } = await shared('editor')
    const page = await guest.pages.create({ subdomain, slug: 'home', kind: 'static', html: 'first' })
    await guest.pages.update({ subdomain, page_id: page.id, html: 'second' })
    const latest = async (kind: 'page' | 'space') =>
      (await guest.history.list({ subdomain, kind })).changes[0]!
    const edit = await latest('page')
    await guest.history.restore({ subdomain, change_id: edit.id, side: 'before' })
    expect((await guest.pages.get({ subdomain, page_id: page.id })).html).toBe('first')

    await owner.spaces.rename({ subdomain, name: 'Renamed' })
    const rename = await latest('space')
    const restoring = guest.history.restore({ subdomain, change_id: rename.id, side: 'before' })
    expect(await errorCodeOf(restoring)).toBe('owners_only')
    const actor = rename.actor.id
    const since = new Date(0).toISOString()
    await guest.history.undo({ subdomain, actor, since })
    expect((await guest.space.get({ subdomain })).name).toBe('Renamed')
    await owner.history.undo({ subdomain, actor, since })
    expect((await guest.space.get({ subdomain })).name).toBe(`The ${subdomain}`)
  })

  test('imports an archive, which then leaves the name and icon of the space as they are', async () => {
    const mover = await signInMover(service)
    const source = await mover.space()
    await source.api.post('/pages', { slug: 'moved', html: 'moved' })
    const archive = await mover.archive(source.subdomain)
    const target = await mover.space()
    const other = await target.join()
    await setRole(target, target.owner, 'editor', other)
    const { status, body } = await mover.put(target.subdomain, archive)
    expect(status).toBe(200)
    expect(body.changes).toEqual([{ kind: 'page', name: 'moved', action: 'add' }])
    expect((await other.space.get({ subdomain: target.subdomain })).name).toBe(`The ${target.subdomain}`)
    const { events } = await other.audit.ofSpace({ subdomain: target.subdomain, topic: 'content' })
    expect(events[0]).toMatchObject({ kind: 'restored', cause: 'import', items: 1 })
  })

  test('is named in the audit log of the space when refused', async () => {
    const { owner, guest, subdomain } = await shared('editor')
    await errorCodeOf(guest.keys.list({ subdomain }))
    await service.core.countedEvents.flush()
    const { events } = await owner.audit.ofSpace({ subdomain, topic: 'refusals' })
    expect(events).toMatchObject([{ handle: guest.handle, code: 'owners_only' }])
  })
})
