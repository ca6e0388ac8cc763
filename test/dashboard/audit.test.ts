import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import { type Person, uniqueName, useTestService } from '../support/test-service.ts'
import { useAuditedSpace } from './support/audited-space.ts'
import { dashboardClient } from './support/dashboard-client.ts'

const service = useTestService()
const { space, ofSpace, ofAccount } = useAuditedSpace(service)
let owner: Person
let subdomain: string

beforeEach(() => {
  ;({ owner, subdomain } = space)
})

describe('the audit log of a space', () => {
  test('has events for its keys, with labels and permissions but without secrets', async () => {
    const issued = await owner.keys.issue({ subdomain, label: 'deploy', scopes: ['pages'] })
    const rotated = await owner.keys.rotate({ subdomain, key_id: issued.id, overlap_seconds: 3600 })
    await owner.keys.revoke({ subdomain, key_id: issued.id })
    const events = await ofSpace('credentials')
    const about = { handle: owner.handle, actor_label: null, label: 'deploy', scopes: ['pages'], count: 1 }
    expect(events.slice(0, 3)).toMatchObject([
      { kind: 'key_revoked', ...about },
      { kind: 'key_rotated', ...about },
      { kind: 'key_issued', ...about },
    ])
    const { rows } = await sql`select * from audit_events`.execute(service.core.database)
    for (const { secret } of [issued, rotated]) expect(JSON.stringify(rows)).not.toContain(secret.slice(-20))
  })

  test('has an event for each participant who joined or left', async () => {
    const other = await space.join()
    await other.participants.leave({ subdomain })
    expect(await ofSpace('participants')).toMatchObject([
      { kind: 'participant_left', handle: other.handle },
      { kind: 'participant_joined', handle: other.handle },
    ])
  })

  describe('has an event for each key that ends because its issuer', () => {
    test.each([
      ['leaves', (person: Person) => person.participants.leave({ subdomain }), true],
      ['deletes the account', (person: Person) => person.accounts.delete({ confirm: person.handle }), false],
    ])('%s', async (_, end, isNamed) => {
      const other = await space.join()
      await other.keys.issue({ subdomain, label: 'deploy', scopes: ['pages'] })
      const expired = await other.keys.issue({ subdomain, label: 'expired', scopes: ['pages'] })
      await service.core.database
        .updateTable('space_keys')
        .set({ expires_at: new Date(0) })
        .where('id', '=', expired.id)
        .execute()
      const elsewhere = await service.createSpace()
      await end(other)
      const [first, second, ...older] = await ofSpace()
      const handle = isNamed ? other.handle : null
      expect(first).toMatchObject({ kind: 'participant_left', handle })
      expect(second).toMatchObject({
        kind: 'key_revoked',
        reason: 'issuer_left',
        handle,
        label: isNamed ? 'deploy' : null,
        scopes: ['pages'],
      })
      // No event for the expired key, for keys of other people, or for other spaces.
      expect(older.map(({ kind }) => kind)).not.toContain('key_revoked')
      const { events } = await elsewhere.owner.audit.ofSpace({ subdomain: elsewhere.subdomain })
      expect(events.map(({ kind }) => kind)).not.toContain('key_revoked')
    })

    test('leaves the space, but no event for keys of other spaces, which still work', async () => {
      const other = await space.join()
      await other.keys.issue({ subdomain, label: 'deploy', scopes: ['pages'] })
      const second = await service.createSpace(undefined, other)
      await other.participants.leave({ subdomain })
      expect((await second.api.get('')).status).toBe(200)
      const { events } = await other.audit.ofSpace({ subdomain: second.subdomain, topic: 'credentials' })
      expect(events.map(({ kind }) => kind)).toEqual(['key_issued'])
    })
  })

  test('has an event for each restore that changed something, with the person who restored', async () => {
    await space.api.put('/data/a', { value: 1 })
    await space.api.put('/data/a', { value: 2 })
    const { changes } = await owner.history.list({ subdomain })
    await owner.history.restore({ subdomain, change_id: changes[0]!.id, side: 'before' })
    expect(await ofSpace('content')).toMatchObject([
      { kind: 'restored', cause: 'restore', handle: owner.handle, item: { kind: 'record', name: 'a' } },
    ])
    // A restore that changes nothing records no event.
    await owner.history.restore({ subdomain, change_id: changes[0]!.id, side: 'before' })
    await owner.history.undo({ subdomain, operation: 'none' })
    expect(await ofSpace('content')).toHaveLength(1)
  })

  test('names each restored item, and says how many items an undo changed', async () => {
    const { id } = (await space.api.post<{ id: string }>('/pages', { slug: 'first', html: 'secret text' }))
      .body
    await space.api.patch(`/pages/${id}`, { slug: 'second' })
    await space.api.put('/data/a', { value: 'secret text' })
    await owner.spaces.rename({ subdomain, name: 'Renamed' })
    const { changes } = await owner.history.list({ subdomain })
    const [name, , rename, creation] = changes
    const restore = (change: { id: string }, side: 'before' | 'after') =>
      owner.history.restore({ subdomain, change_id: change.id, side })
    await restore(name!, 'before')
    await restore(rename!, 'before')
    await restore(creation!, 'before')
    await owner.history.undo({ subdomain, actor: changes[1]!.actor.id, since: creation!.at })
    const events = await ofSpace('content')
    expect(events.map(({ cause, item, items }) => ({ cause, item, items }))).toEqual([
      { cause: 'undo', item: null, items: 1 },
      { cause: 'restore', item: { kind: 'page', name: 'first' }, items: null },
      { cause: 'restore', item: { kind: 'page', name: 'first' }, items: null },
      { cause: 'restore', item: { kind: 'space', name: 'name' }, items: null },
    ])
    expect(JSON.stringify(events)).not.toContain('secret')
  })

  test('counts refusals per hour, key and reason', async () => {
    const reader = await space.apiWith('files')
    for (let n = 0; n < 5; n++) expect((await reader.get('/pages')).status).toBe(403)
    await service.core.countedEvents.flush()
    for (let n = 0; n < 3; n++) await reader.get('/pages')
    await service.core.countedEvents.flush()
    const events = await ofSpace('refusals')
    // If an hour ends between the calls, the refusals are counted in two events.
    expect(events.reduce((sum, { count }) => sum + count, 0)).toBe(8)
    expect(events.length).toBeLessThanOrEqual(2)
    expect(events[0]).toMatchObject({ code: 'insufficient_scope', actor_label: 'test', handle: owner.handle })
  })

  test('counts the calls of a person that were refused because of a quota', async () => {
    for (let n = 0; n < 100; n++) await space.api.put(`/data/r${n}`, { value: n })
    const put = () => owner.data.put({ subdomain, key: 'one-more', value: 1 })
    expect(await errorCodeOf(put())).toBe('data_quota_exceeded')
    await service.core.countedEvents.flush()
    expect(await ofSpace('refusals')).toMatchObject([
      { code: 'data_quota_exceeded', handle: owner.handle, actor_label: null, count: 1 },
    ])
  })

  test('is only for participants of the space, and does not name deleted accounts', async () => {
    const outsider = await service.signUp()
    expect(await errorCodeOf(ofSpace(undefined, outsider))).toBe('space_not_found')
    const other = await space.join()
    const { secret } = await other.keys.issue({ subdomain, label: "Robin's laptop", scopes: ['files'] })
    await service.rest(secret).get(`/spaces/${subdomain}/pages`)
    await service.core.countedEvents.flush()
    const find = async () => (await owner.audit.ofSpace({ subdomain, who: 'robin' })).events
    expect(await find()).toMatchObject([
      { kind: 'refused', actor_label: "Robin's laptop" },
      { kind: 'key_issued', label: "Robin's laptop" },
    ])
    await other.accounts.delete({ confirm: other.handle })
    expect(JSON.stringify(await ofSpace())).not.toContain('Robin')
    expect(await ofSpace('refusals')).toMatchObject([
      { handle: null, is_anonymous: false, actor_label: null, code: 'insufficient_scope' },
    ])
    expect(await find()).toEqual([])
    expect(await ofSpace('participants')).toMatchObject([
      { kind: 'participant_left', handle: null, is_anonymous: false },
      { kind: 'participant_joined', handle: null, is_anonymous: false },
    ])
  })

  test('hides the label of a key that a deleted account issued, even if another account revoked the key', async () => {
    const other = await space.join()
    const { id: key_id } = await other.keys.issue({ subdomain, label: "Robin's laptop", scopes: ['files'] })
    await owner.keys.revoke({ subdomain, key_id })
    const find = async () => (await owner.audit.ofSpace({ subdomain, who: 'robin' })).events
    const revocation = { kind: 'key_revoked', handle: owner.handle, scopes: ['files'] }
    expect((await find())[0]).toMatchObject({ ...revocation, label: "Robin's laptop" })
    await other.accounts.delete({ confirm: other.handle })
    expect(await find()).toEqual([])
    expect((await ofSpace('credentials'))[0]).toMatchObject({ ...revocation, label: null })
  })

  test('is listed in pages, without gaps or duplicates', async () => {
    for (let n = 0; n < 60; n++) await owner.keys.issue({ subdomain, label: `key ${n}`, scopes: ['pages'] })
    const first = await owner.audit.ofSpace({ subdomain, topic: 'credentials' })
    const second = await owner.audit.ofSpace({ subdomain, topic: 'credentials', cursor: first.next })
    expect(first.events).toHaveLength(50)
    expect(second.next).toBeNull()
    const ids = [...first.events, ...second.events].map(({ id }) => id)
    expect(new Set(ids).size).toBe(61)
    expect(await errorCodeOf(owner.audit.ofSpace({ subdomain, cursor: 'x' }))).toBe('validation_failed')
  })
})

describe('the audit log of an account', () => {
  test('lists each sign-in and the browser it came from, and counts failed sign-ins', async () => {
    const handle = uniqueName('signer')
    const browser = dashboardClient(
      service,
      'Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0',
    )
    await browser.api.accounts.signUp.mutate({ handle, password: 'correct horse battery' })
    for (let n = 0; n < 3; n++)
      await browser.api.sessions.create.mutate({ handle, password: 'wrong' }).catch(() => {})
    await browser.api.sessions.create.mutate({ handle, password: 'correct horse battery' })
    await service.core.countedEvents.flush()
    const { events } = await browser.api.audit.ofAccount.query({ topic: 'sign_ins' })
    const failed = events.filter(({ kind }) => kind === 'sign_in_failed')
    expect(failed.reduce((sum, { count }) => sum + count, 0)).toBe(3)
    expect(failed[0]).toMatchObject({ method: 'password', handle: null, is_anonymous: true })
    expect(events.filter(({ kind }) => kind === 'signed_in')).toMatchObject([
      { method: 'password', handle, browser: 'Firefox on Windows' },
      { method: 'new_account', handle, browser: 'Firefox on Windows' },
    ])
  })

  test('counts wrong passwords that its owner entered while signed in', async () => {
    const wrong = { current_password: 'wrong', password: 'another horse battery', end_tokens: false }
    expect(await errorCodeOf(owner.accounts.setPassword(wrong))).toBe('validation_failed')
    expect(await errorCodeOf(owner.sessions.confirm({ password: 'wrong' }))).toBe('validation_failed')
    await service.core.countedEvents.flush()
    const events = await ofAccount('sign_ins')
    const failed = events.filter(({ kind }) => kind === 'sign_in_failed')
    expect(failed.reduce((sum, { count }) => sum + count, 0)).toBe(2)
    expect(failed[0]).toMatchObject({ method: 'confirmation', handle: owner.handle, is_anonymous: false })
  })

  test('has an event for each token that a password change ended', async () => {
    await owner.token('posts')
    const password = 'another horse battery'
    await owner.accounts.setPassword({
      current_password: 'correct horse battery',
      password,
      end_tokens: true,
    })
    expect((await ofAccount('credentials'))[0]).toMatchObject({
      kind: 'token_revoked',
      reason: 'password_changed',
    })
  })

  test('has events for issued, rotated and revoked tokens, which no other account can see', async () => {
    const { id } = await owner.tokens.issue({ label: 'phone', scopes: ['posts'] })
    await owner.tokens.rotate({ token_id: id, overlap_seconds: 3600 })
    await owner.tokens.revoke({ token_id: id })
    expect((await ofAccount('credentials')).slice(0, 3)).toMatchObject([
      { kind: 'token_revoked', label: 'phone', scopes: ['posts'], handle: owner.handle },
      { kind: 'token_rotated', label: 'phone', scopes: ['posts'], handle: owner.handle },
      { kind: 'token_issued', label: 'phone', scopes: ['posts'], handle: owner.handle },
    ])
    const other = await service.signUp()
    const labels = (await ofAccount('credentials', other)).map(({ label }) => label)
    expect(labels).not.toContain('phone')
  })

  test('has events for restored versions of posts and for restored deleted posts, but none if nothing changed', async () => {
    const { id: post_id } = await owner.posts.create({ html: 'one' })
    await owner.posts.update({ post_id, html: 'two' })
    const [change] = (await owner.postHistory.list({ post_id })).changes
    const item = { kind: 'post', name: null }
    const restored = { kind: 'restored', cause: 'restore', handle: owner.handle, actor_label: null, item }
    for (let times = 0; times < 2; times++) {
      await owner.postHistory.restore({ change_id: change!.id })
      expect(await ofAccount('content')).toMatchObject([restored])
    }
    await owner.posts.delete({ post_id })
    await owner.postHistory.restoreDeleted({ post_id })
    expect(await ofAccount('content')).toMatchObject([restored, restored])
    expect(await errorCodeOf(owner.postHistory.restoreDeleted({ post_id }))).toBe('post_not_found')
    expect(await ofAccount('content')).toHaveLength(2)
  })

  test('is deleted with the account', async () => {
    const person = await service.signUp()
    await person.accounts.delete({ confirm: person.handle })
    const { rows } = await sql`
      select from audit_events where account_id is not null
        and not exists (select from accounts where accounts.id = account_id)`.execute(service.core.database)
    expect(rows).toEqual([])
  })
})

test('a failed operation records nothing', async () => {
  const before = await ofSpace()
  expect(await errorCodeOf(owner.keys.revoke({ subdomain, key_id: '2222222222222222' }))).toBe(
    'key_not_found',
  )
  expect(await errorCodeOf(owner.participants.leave({ subdomain }))).toBe('last_participant')
  expect(await ofSpace()).toEqual(before)
})
