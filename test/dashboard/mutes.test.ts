import { describe, expect, test } from 'vitest'
import { lockAccount } from '../../db/queries/accounts.ts'
import { insertFollow } from '../../db/queries/follows.ts'
import { insertMute } from '../../db/queries/mutes.ts'
import { creationLimits } from '../../routers/api/rules.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { holdLocks, waitForBlocked } from '../support/transactions.ts'

const service = useTestService()
const limited = useTestService({ creationLimits: { ...creationLimits, mutes: 3 } })

const pair = async () => {
  const [reader, other] = await Promise.all([service.signUp(), service.signUp()])
  return { reader, other }
}

const idOf = async ({ handle }: Person) =>
  (
    await service.core.database
      .selectFrom('accounts')
      .where('handle', '=', handle)
      .select('id')
      .executeTakeFirstOrThrow()
  ).id
const listed = async (person: Person) =>
  (await person.mutes.list({})).people.map(({ handle, is_blocked }) => [handle, is_blocked])
const followed = async (person: Person) => (await person.follows.list({})).people.map(({ handle }) => handle)
const publish = async (person: Person) =>
  (await person.posts.create({ format: 'markdown', markdown: 'Beans' })).id
const reblogOf = (id: string) => ({ format: 'reblog' as const, url: `http://localhost/posts/${id}` })
const block = (person: Person, { handle }: Person) => person.mutes.add({ handle, block: true })
const noticesOf = async (person: Person) => {
  const [{ notifications }, { count }] = await Promise.all([
    person.notifications.list({}),
    person.notifications.unread(),
  ])
  return [notifications.length, count]
}

describe('the list of muted and blocked people', () => {
  test('has each person once, latest first; muting a person adds nothing to that person’s own list', async () => {
    const { reader, other } = await pair()
    const blocked = await service.signUp()
    await reader.mutes.add({ handle: other.handle })
    await block(reader, blocked)
    await reader.mutes.add({ handle: `@${other.handle.toUpperCase()}` })
    const { people, count, next } = await reader.mutes.list({})
    expect({ count, next }).toEqual({ count: 2, next: null })
    expect(people).toMatchObject([
      { handle: blocked.handle, is_blocked: true, profile_url: `http://localhost/@${blocked.handle}` },
      { handle: other.handle, is_blocked: false },
    ])
    expect(await listed(other)).toEqual([])
  })

  test('has each person on exactly one page', async () => {
    const reader = await service.signUp()
    const handles: string[] = []
    for (let i = 0; i < 52; i++) {
      const { handle } = await service.signUp()
      await reader.mutes.add({ handle })
      handles.unshift(handle)
    }
    const first = await reader.mutes.list({})
    const second = await reader.mutes.list({ cursor: first.next })
    expect([first.people.length, first.count, second.next]).toEqual([50, 52, null])
    expect([...first.people, ...second.people].map(({ handle }) => handle)).toEqual(handles)
    expect(await errorFields(reader.mutes.list({ cursor: 'x' }))).toEqual(['cursor'])
  })

  test('no longer has a person who was unmuted or who deleted their account', async () => {
    const { reader, other } = await pair()
    const third = await service.signUp()
    await reader.mutes.add({ handle: other.handle })
    await block(reader, third)
    await reader.mutes.remove({ handle: other.handle })
    await reader.mutes.remove({ handle: other.handle })
    expect(await listed(reader)).toEqual([[third.handle, true]])
    await third.accounts.delete({ confirm: third.handle })
    expect(await listed(reader)).toEqual([])
  })

  test('does not prevent the owner of the list from deleting their account', async () => {
    const { reader, other } = await pair()
    await block(reader, other)
    await reader.accounts.delete({ confirm: reader.handle })
    expect(await errorCodeOf(other.mutes.list({}))).toBeUndefined()
  })
})

describe('muting', () => {
  test('is refused for an unknown handle, a malformed one, and your own', async () => {
    const { reader } = await pair()
    expect(await errorCodeOf(reader.mutes.add({ handle: 'no_such_person' }))).toBe('account_not_found')
    expect(await errorFields(reader.mutes.add({ handle: 'a b' }))).toEqual(['handle'])
    expect(await errorFields(block(reader, reader))).toEqual(['handle'])
    expect(await listed(reader)).toEqual([])
  })

  test('is refused above the limit, even in concurrent calls, but blocking a muted person is not', async () => {
    const reader = await limited.signUp()
    const people: Person[] = []
    for (let i = 0; i < 5; i++) people.push(await limited.signUp())
    const outcomes = await Promise.all(people.map(({ handle }) => errorCodeOf(reader.mutes.add({ handle }))))
    expect(outcomes.filter(outcome => outcome === 'limit_reached')).toHaveLength(2)
    const [[handle]] = (await listed(reader)) as [[string, boolean]]
    await reader.mutes.add({ handle, block: true })
    expect(await listed(reader)).toContainEqual([handle, true])
    expect((await reader.mutes.list({})).count).toBe(3)
  })

  test('does not unblock a person who is already blocked', async () => {
    const { reader, other } = await pair()
    await block(reader, other)
    await reader.mutes.add({ handle: other.handle })
    expect(await listed(reader)).toEqual([[other.handle, true]])
  })

  test('stops notifications of comments and reblogs, and changes nothing else', async () => {
    const { reader, other } = await pair()
    const post_id = await publish(reader)
    await other.comments.create({ post_id, body: 'Before' })
    await reader.mutes.add({ handle: other.handle })
    expect(await noticesOf(reader)).toEqual([0, 0])
    await other.comments.create({ post_id, body: 'During' })
    await other.posts.create(reblogOf(post_id))
    await other.likes.add({ post_id })
    await other.follows.add({ handle: reader.handle })
    expect((await reader.comments.list({ post_id })).data).toHaveLength(2)
    await reader.mutes.remove({ handle: other.handle })
    expect(await noticesOf(reader)).toEqual([1, 1])
  })
})

describe('blocking', () => {
  test('makes the two people unfollow each other, and stops each from following the other again', async () => {
    const { reader, other } = await pair()
    await reader.follows.add({ handle: other.handle })
    await other.follows.add({ handle: reader.handle })
    await block(reader, other)
    expect([await followed(reader), await followed(other)]).toEqual([[], []])
    expect(await errorFields(other.follows.add({ handle: reader.handle }))).toEqual(['handle'])
    expect(await errorFields(reader.follows.add({ handle: other.handle }))).toEqual(['handle'])
    await reader.mutes.remove({ handle: other.handle })
    await other.follows.add({ handle: reader.handle })
    expect(await followed(other)).toEqual([reader.handle])
  })

  test('leaves no follow that the blocked person was adding when the block began', async () => {
    const { reader, other } = await pair()
    const [readerId, otherId] = [await idOf(reader), await idOf(other)]
    // A follow first checks for blocks, and then inserts. Both happen while the account of the follower is locked.
    const following = await holdLocks(service, db => lockAccount(db, otherId))
    const blocking = block(reader, other)
    await Promise.race([blocking, waitForBlocked(service, 1)])
    await following.run(db =>
      insertFollow(db, { follower_id: otherId, followed_id: readerId, created_at: new Date() }),
    )
    await following.commit()
    await blocking
    expect(await followed(other)).toEqual([])
  })

  test('refuses a follow that was waiting when the block began', async () => {
    const { reader, other } = await pair()
    const [readerId, otherId] = [await idOf(reader), await idOf(other)]
    const blocked = await holdLocks(service, db => lockAccount(db, otherId))
    await blocked.run(db =>
      insertMute(db, { muterId: readerId, mutedId: otherId }, { isBlock: true, now: new Date() }),
    )
    const following = errorFields(other.follows.add({ handle: reader.handle }))
    await Promise.race([following, waitForBlocked(service, 1)])
    await blocked.commit()
    expect(await following).toEqual(['handle'])
    expect(await followed(other)).toEqual([])
  })

  test('each other at the same time succeeds', async () => {
    const { reader, other } = await pair()
    await Promise.all([block(reader, other), block(other, reader)])
    expect([await listed(reader), await listed(other)]).toEqual([
      [[other.handle, true]],
      [[reader.handle, true]],
    ])
  })

  test('does not end follows between either of the two and other people', async () => {
    const { reader, other } = await pair()
    const third = await service.signUp()
    for (const person of [reader, other]) {
      await person.follows.add({ handle: third.handle })
      await third.follows.add({ handle: person.handle })
    }
    await block(reader, other)
    expect([await followed(reader), await followed(other)]).toEqual([[third.handle], [third.handle]])
    expect((await followed(third)).toSorted()).toEqual([reader.handle, other.handle].toSorted())
  })

  test('hides existing comments of the blocked person, but only from the blocker', async () => {
    const { reader, other } = await pair()
    const post_id = await publish(reader)
    await other.comments.create({ post_id, body: 'Rude' })
    await block(reader, other)
    const seen = async () => ({
      own: (await reader.comments.list({ post_id })).data.length,
      discussion: (await reader.discussions.get({ post_id })).comments.length,
      counted: (await reader.discussions.get({ post_id })).comment_count,
      others: (await other.comments.list({ post_id })).data.length,
    })
    expect(await seen()).toEqual({ own: 0, discussion: 0, counted: 0, others: 1 })
    await reader.mutes.remove({ handle: other.handle })
    expect(await seen()).toEqual({ own: 1, discussion: 1, counted: 1, others: 1 })
  })

  test('lets the blocked person edit and delete their own comment, and remove their like', async () => {
    const { reader, other } = await pair()
    const post_id = await publish(reader)
    const { id: comment_id } = await other.comments.create({ post_id, body: 'Rude' })
    await other.likes.add({ post_id })
    await block(reader, other)
    await other.comments.update({ comment_id, body: 'Sorry' })
    await other.comments.delete({ comment_id })
    await other.likes.remove({ post_id })
    expect((await other.posts.get({ post_id })).like_count).toBe(0)
  })
})

describe('the User API', () => {
  test('answers a blocked account with the documented codes, and does not mention the block', async () => {
    const { reader, other } = await pair()
    const post_id = await publish(reader)
    await block(reader, other)
    const comment = await other.api.post(`/posts/${post_id}/comments`, { body: 'Hello' })
    expect([comment.status, comment.body.code]).toEqual([422, 'validation_failed'])
    expect(comment.body.errors).toMatchObject([{ field: '$' }])
    const like = await other.api.put(`/posts/${post_id}/like`)
    expect([like.status, like.body.code]).toEqual([404, 'post_not_found'])
    const reblog = await other.api.post('/posts', reblogOf(post_id))
    expect([reblog.status, reblog.body.code]).toEqual([422, 'validation_failed'])
    expect(reblog.body.errors).toMatchObject([{ field: 'url' }])
    expect(JSON.stringify([comment.body, like.body, reblog.body])).not.toMatch(/block/i)
    expect((await other.api.get(`/posts/${post_id}`)).body).toMatchObject({ like_count: 0, comment_count: 0 })
    expect((await other.posts.list({})).data).toEqual([])
  })

  test('does not let a blocked account turn another post into a reblog of the blocker’s post', async () => {
    const { reader, other } = await pair()
    const post_id = await publish(reader)
    const own = await publish(other)
    const draft = await other.writing.createDraft(reblogOf(post_id))
    await block(reader, other)
    const changed = await other.api.patch(`/posts/${own}`, reblogOf(post_id))
    expect([changed.status, changed.body.code]).toEqual([422, 'validation_failed'])
    expect(await errorFields(other.writing.revise({ post_id: own, ...reblogOf(post_id) }))).toEqual(['url'])
    expect(await errorFields(other.writing.publish({ post_id: draft.id }))).toEqual(['$'])
    await reader.mutes.remove({ handle: other.handle })
    expect((await other.writing.publish({ post_id: draft.id })).published).toBe(true)
  })

  test('does not let a blocked account restore a replaced or deleted reblog of the blocker’s post', async () => {
    const { reader, other } = await pair()
    const post_id = await publish(reader)
    const [replaced, deleted, draft] = await Promise.all([
      other.posts.create(reblogOf(post_id)),
      other.posts.create(reblogOf(post_id)),
      other.writing.createDraft(reblogOf(post_id)),
    ])
    await other.posts.update({ post_id: replaced.id, format: 'markdown', markdown: 'Mine' })
    await other.writing.updateDraft({ post_id: draft.id, format: 'markdown', markdown: 'Mine' })
    await other.posts.delete({ post_id: deleted.id })
    const lastChange = async ({ id }: { id: string }) =>
      (await other.postHistory.list({ post_id: id })).changes[0]!.id
    const restoreReplaced = async () => other.postHistory.restore({ change_id: await lastChange(replaced) })
    const restoreDeleted = () => other.postHistory.restoreDeleted({ post_id: deleted.id })
    await block(reader, other)
    expect(await errorFields(restoreReplaced())).toEqual(['$'])
    expect(await errorFields(restoreDeleted())).toEqual(['$'])
    expect(await other.posts.get({ post_id: replaced.id })).toMatchObject({ format: 'rich', reblog: null })
    expect(await errorCodeOf(other.posts.get({ post_id: deleted.id }))).toBe('post_not_found')
    // Restoring a draft is allowed. Only its author sees the draft, and publishing the draft would be refused.
    expect((await other.postHistory.restore({ change_id: await lastChange(draft) })).format).toBe('reblog')

    await reader.mutes.remove({ handle: other.handle })
    expect((await restoreReplaced()).format).toBe('reblog')
    expect((await restoreDeleted()).format).toBe('reblog')
  })

  test('applies a block only to the blocked account, and only on the posts of the blocker', async () => {
    const { reader, other } = await pair()
    const third = await service.signUp()
    const [post_id, elsewhere] = await Promise.all([publish(reader), publish(third)])
    await block(reader, other)
    expect((await third.api.put(`/posts/${post_id}/like`)).status).toBe(200)
    expect((await third.api.post(`/posts/${post_id}/comments`, { body: 'Hi' })).status).toBe(201)
    expect((await other.api.put(`/posts/${elsewhere}/like`)).status).toBe(200)
    expect((await other.api.post('/posts', reblogOf(elsewhere))).status).toBe(201)
    expect((await reader.api.put(`/posts/${await publish(other)}/like`)).status).toBe(200)
  })
})
