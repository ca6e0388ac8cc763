import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { creationLimits } from '../../routers/api/rules.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { holdLocks, waitForBlocked } from '../support/transactions.ts'

const service = useTestService({
  operators: ['boss'],
  creationLimits: { ...creationLimits, posts: 40, drafts: 40 },
})

let person: Person
beforeEach(async () => {
  person = await service.signUp()
})

const db = () => service.core.database
const faults = () => service.log.filter(({ msg }) => msg === 'fault')
const changesOf = async (post_id: string, of = person) => (await of.postHistory.list({ post_id })).changes
const deletedIds = async () => (await person.postHistory.deleted({})).posts.map(({ id }) => id)
const versionsOf = async (post_id: string) => {
  const details = (await changesOf(post_id)).map(({ id }) => person.postHistory.get({ change_id: id }))
  return (await Promise.all(details)).map(({ version }) => version)
}

/** Returns everything about a post that its author or a reader can see, except comments and likes. */
const stored = async (post_id: string) => {
  const [seen, written] = [
    await person.api.get<object>(`/posts/${post_id}`),
    await person.writing.get({ post_id }),
  ]
  return { ...written, ...seen.body }
}

describe('the history of a post', () => {
  it('has the version before each change, made through the API or in the dashboard', async () => {
    const { id } = (await person.api.post<{ id: string }>('/posts', { html: 'one' })).body
    await person.api.patch(`/posts/${id}`, { html: 'two' })
    await person.posts.update({ post_id: id, format: 'markdown', markdown: 'three' })
    await person.writing.revise({ post_id: id, format: 'reblog', url: 'https://a.example/', text: 'four' })
    await person.writing.revise({ post_id: id, html: 'five' })
    expect(await versionsOf(id)).toMatchObject([
      { format: 'reblog', url: 'https://a.example/', text: 'four', html: null },
      { format: 'rich', html: '<p>three</p>\n', markdown: null },
      { format: 'html', html: 'two' },
      { format: 'html', html: 'one' },
    ])
    const changes = await changesOf(id)
    expect(changes.map(({ action, cause, post_id }) => [action, cause, post_id])).toEqual(
      changes.map(() => ['change', 'write', id]),
    )
    expect(changes.map(({ actor }) => actor.kind)).toEqual(['session', 'session', 'session', 'user_token'])
    expect(changes.at(-1)!.actor.label).not.toBeNull()
  })

  it('has the Markdown and tags of a draft, but no entry for publishing it', async () => {
    const { id } = await person.writing.createDraft({ format: 'markdown', markdown: '# One', tags: ['a'] })
    await person.writing.updateDraft({ post_id: id, format: 'markdown', markdown: '# One', tags: ['b'] })
    await person.writing.publish({ post_id: id })
    expect(await versionsOf(id)).toMatchObject([{ markdown: '# One', html: '<h1>One</h1>\n', tags: ['a'] }])
  })

  it('keeps the Markdown that an API call deletes, even if the call does not change the document', async () => {
    const { id } = await person.writing.createDraft({ format: 'markdown', markdown: 'a' })
    await person.api.patch(`/posts/${id}`, { format: 'markdown', markdown: 'a' })
    expect(await versionsOf(id)).toMatchObject([{ markdown: 'a' }])
  })

  it('has no entry for a write that changes nothing or fails', async () => {
    const { id, updated_at } = await person.posts.create({ html: 'same' })
    await person.posts.update({ post_id: id, html: 'same' })
    await person.writing
      .revise({ post_id: id, html: 'other', updated_at: new Date(0).toISOString() })
      .catch(() => {})
    await person.writing.updateDraft({ post_id: id, html: 'other' }).catch(() => {})
    expect(await changesOf(id)).toEqual([])
    expect(await stored(id)).toMatchObject({ updated_at, html: 'same' })
  })

  it('is listed in pages', async () => {
    const { id } = await person.posts.create({ html: '0' })
    for (let n = 1; n <= 35; n++) await person.posts.update({ post_id: id, html: `${n}` })
    const first = await person.postHistory.list({ post_id: id })
    const second = await person.postHistory.list({ post_id: id, cursor: first.next })
    expect([first.changes.length, second.changes.length, second.next]).toEqual([30, 5, null])
    const ids = [...first.changes, ...second.changes].map(change => BigInt(change.id))
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => (a < b ? 1 : -1)))
    expect(await errorFields(person.postHistory.list({ post_id: id, cursor: 'x' }))).toEqual(['cursor'])
  })

  it('is visible to the author alone', async () => {
    const { id } = await person.posts.create({ html: 'one' })
    await person.posts.update({ post_id: id, html: 'two' })
    const [change] = await changesOf(id)
    const other = await service.signUp()
    expect(await errorCodeOf(other.postHistory.list({ post_id: id }))).toBe('post_not_found')
    expect(await errorCodeOf(other.postHistory.get({ change_id: change!.id }))).toBe('change_not_found')
    expect(await errorCodeOf(other.postHistory.restore({ change_id: change!.id }))).toBe('change_not_found')
    await person.posts.delete({ post_id: id })
    expect(await errorCodeOf(other.postHistory.restoreDeleted({ post_id: id }))).toBe('post_not_found')
    expect((await other.postHistory.deleted({})).posts).toEqual([])
  })

  it('is complete after concurrent writes', async () => {
    const { id } = await person.posts.create({ html: 'start' })
    const held = await holdLocks(service, sql =>
      sql.selectFrom('posts').where('id', '=', id).select('id').forUpdate().execute(),
    )
    const writes = ['a', 'b', 'c', 'd'].map(html => person.posts.update({ post_id: id, html }))
    await waitForBlocked(service, 4)
    await held.commit()
    await Promise.all(writes)
    const texts = [...(await versionsOf(id)).map(({ html }) => html), (await stored(id)).html]
    expect(new Set(texts)).toEqual(new Set(['start', 'a', 'b', 'c', 'd']))
    expect(texts).toHaveLength(5)
    expect(texts.at(-2)).toBe('start')
  })
})

describe('restoring a version', () => {
  it('is itself recorded in the history', async () => {
    const { id } = await person.writing.createDraft({ format: 'markdown', markdown: '# One', tags: ['a'] })
    const before = await stored(id)
    await person.writing.updateDraft({ post_id: id, html: 'two', tags: ['b'] })
    const [change] = await changesOf(id)
    const { updated_at } = await person.postHistory.restore({ change_id: change!.id })
    expect(updated_at > (before as { updated_at: string }).updated_at).toBe(true)
    expect(await stored(id)).toEqual({ ...before, updated_at })
    expect((await changesOf(id)).map(({ cause }) => cause)).toEqual(['restore', 'write'])
    await person.postHistory.restore({ change_id: (await changesOf(id))[0]!.id })
    expect(await stored(id)).toMatchObject({ html: 'two', tags: ['b'] })
  })

  it('does not change the tags of a published post', async () => {
    const { id } = await person.writing.createDraft({ html: 'one', tags: ['a'] })
    await person.writing.updateDraft({ post_id: id, html: 'two', tags: ['b'] })
    await person.writing.publish({ post_id: id })
    await person.postHistory.restore({ change_id: (await changesOf(id))[0]!.id })
    expect(await stored(id)).toMatchObject({ html: 'one', tags: ['b'] })
  })

  it('does nothing for the current version, and does not restore a deleted post', async () => {
    const { id } = await person.posts.create({ html: 'one' })
    await person.posts.update({ post_id: id, html: 'two' })
    await person.posts.update({ post_id: id, html: 'one' })
    const changes = await changesOf(id)
    await person.postHistory.restore({ change_id: changes[1]!.id })
    expect(await changesOf(id)).toEqual(changes)
    await person.posts.delete({ post_id: id })
    expect(await errorCodeOf(person.postHistory.restore({ change_id: changes[1]!.id }))).toBe(
      'post_not_found',
    )
  })
})

describe('a deleted post', () => {
  it('is listed for its author, with the time until which it can be restored', async () => {
    const { id } = await person.posts.create({ html: '<title>Beans</title>' })
    const draft = await person.writing.createDraft({ format: 'markdown', markdown: '# Peas' })
    await person.api.delete(`/posts/${id}`)
    await person.writing.deleteDraft({ post_id: draft.id })
    const { posts } = await person.postHistory.deleted({})
    expect(posts).toMatchObject([
      { id: draft.id, title: 'Peas', format: 'rich', published: false },
      { id, title: 'Beans', format: 'html', published: true },
    ])
    const [{ kept_until, deleted_at, change_id } = { kept_until: '', deleted_at: '', change_id: '' }] = posts
    expect(Date.parse(kept_until) - Date.parse(deleted_at)).toBe(30 * 24 * 60 * 60_000)
    expect((await person.postHistory.get({ change_id })).current).toBeNull()
  })

  it('is not found outside the list of deleted posts', async () => {
    const { id, url } = await person.posts.create({ html: '<title>Hidden words</title>' })
    const reader = await service.signUp()
    await reader.posts.create({ format: 'reblog', url })
    await person.posts.delete({ post_id: id })
    for (const someone of [person, reader]) {
      expect(await errorCodeOf(someone.posts.get({ post_id: id }))).toBe('post_not_found')
      expect(await errorCodeOf(someone.likes.add({ post_id: id }))).toBe('post_not_found')
      expect(await errorCodeOf(someone.comments.create({ post_id: id, body: 'x' }))).toBe('post_not_found')
    }
    expect(await errorCodeOf(person.writing.get({ post_id: id }))).toBe('post_not_found')
    expect((await person.posts.list({})).data).toEqual([])
    expect(await person.writing.list({})).toMatchObject({ posts: [], published: 0, drafts: 0 })
    expect(await person.writing.find({ text: 'Hidden' })).toEqual([])
    for (const path of ['/', `/posts/${id}`, `/@${person.handle}`]) {
      const response = await fetch(`${service.root}${path}`)
      expect(await response.text()).not.toContain('Hidden words')
      expect(response.status).toBe(path.includes(id) ? 404 : 200)
    }
  })

  it('is restored unchanged and to its old place in lists, but without likes and comments', async () => {
    const reader = await service.signUp()
    const { id } = await person.writing.createDraft({ format: 'markdown', markdown: '# One', tags: ['a'] })
    await person.writing.publish({ post_id: id })
    await person.posts.create({ html: 'later' })
    await reader.likes.add({ post_id: id })
    await reader.comments.create({ post_id: id, body: 'x' })
    const before = { post: await stored(id), list: (await person.posts.list({})).data.map(post => post.id) }
    await person.posts.delete({ post_id: id })
    await person.postHistory.restoreDeleted({ post_id: id })
    expect(await stored(id)).toEqual({ ...before.post, like_count: 0, comment_count: 0 })
    expect((await person.posts.list({})).data.map(post => post.id)).toEqual(before.list)
    expect(await deletedIds()).toEqual([])
    expect(await errorCodeOf(person.postHistory.restoreDeleted({ post_id: id }))).toBe('post_not_found')
  })

  it('keeps its earlier versions, even after it was restored', async () => {
    const { id } = await person.posts.create({ html: 'one' })
    await person.posts.update({ post_id: id, html: 'two' })
    await person.posts.delete({ post_id: id })
    expect((await changesOf(id)).map(({ action }) => action)).toEqual(['delete', 'change'])
    expect(await versionsOf(id)).toMatchObject([{ html: 'two' }, { html: 'one' }])
    await person.postHistory.restoreDeleted({ post_id: id })
    expect(await versionsOf(id)).toMatchObject([{ html: 'one' }])
  })

  it('cannot be restored at the limit of posts', async () => {
    const { id } = await person.posts.create({ html: 'one' })
    const draft = await person.writing.createDraft({ html: 'draft' })
    await person.posts.delete({ post_id: id })
    await person.writing.deleteDraft({ post_id: draft.id })
    for (let n = 0; n < 40; n++) await person.posts.create({ html: 'full' })
    expect(await errorCodeOf(person.postHistory.restoreDeleted({ post_id: id }))).toBe('limit_reached')
    await person.postHistory.restoreDeleted({ post_id: draft.id })
    expect(await deletedIds()).toEqual([id])
  })

  it('is restored by only one of several concurrent calls', async () => {
    const { id } = await person.posts.create({ html: 'one' })
    await person.posts.delete({ post_id: id })
    const calls = [1, 2, 3].map(() => errorCodeOf(person.postHistory.restoreDeleted({ post_id: id })))
    const outcomes = await Promise.all(calls)
    expect(outcomes.filter(outcome => outcome === 'post_not_found')).toHaveLength(2)
    expect(outcomes).toContain(undefined)
    expect(faults()).toEqual([])
  })

  it('keeps the text of a write that was in progress during the deletion', async () => {
    const { id } = await person.posts.create({ html: 'one' })
    const held = await holdLocks(service, sql =>
      sql.updateTable('posts').set({ html: 'two' }).where('id', '=', id).execute(),
    )
    const deletion = person.posts.delete({ post_id: id })
    await waitForBlocked(service, 1)
    await held.commit()
    await deletion
    expect(await versionsOf(id)).toMatchObject([{ html: 'two' }])
  })

  it('is not changed by a write that had to wait for the deletion', async () => {
    const { id } = await person.posts.create({ html: 'one' })
    const held = await holdLocks(service, sql => sql.deleteFrom('posts').where('id', '=', id).execute())
    const late = errorCodeOf(person.posts.update({ post_id: id, html: 'late' }))
    await waitForBlocked(service, 1)
    await held.commit()
    expect(await late).toBe('post_not_found')
    expect(
      await db().selectFrom('post_changes').where('post_id', '=', id).select('position').execute(),
    ).toEqual([])
  })
})

describe('a post that an operator takes down', () => {
  it('cannot be restored, and loses its history', async () => {
    const [boss, reader] = await Promise.all([service.signUp('boss'), service.signUp()])
    const { id } = await person.posts.create({ html: 'rude' })
    await person.posts.update({ post_id: id, html: 'still rude' })
    const [change] = await changesOf(id)
    await reader.reports.create({ post_id: id, reason: 'rude' })
    const report = (await boss.reports.list()).find(({ post_id }) => post_id === id)
    await boss.reports.takeDown({ report_id: report!.id })
    expect(await deletedIds()).toEqual([])
    expect(await errorCodeOf(person.postHistory.restoreDeleted({ post_id: id }))).toBe('post_not_found')
    expect(await errorCodeOf(person.postHistory.restore({ change_id: change!.id }))).toBe('change_not_found')
    expect(await errorCodeOf(person.postHistory.list({ post_id: id }))).toBe('post_not_found')
  })
})

const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('write' as const), html: fc.constantFrom('1', '2', '3') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('markdown' as const), markdown: fc.constantFrom('*a*', '# b') }),
  },
  { weight: 2, arbitrary: fc.constant({ type: 'delete' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'publish' as const }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('restore' as const), nth: fc.nat(9) }) },
)

describe('any sequence of writes and deletions', () => {
  it('keeps each earlier state restorable', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 10 }), async commands => {
        const { id: post_id } = await person.writing.createDraft({ html: 'start' })
        const contentOf = async () => {
          const { html, markdown, format } = await person.writing.get({ post_id })
          return JSON.stringify({ html, markdown, format })
        }
        /** The content before each change, oldest first. */
        const expected: string[] = []
        const restored: unknown[] = []
        const wanted: unknown[] = []
        let isPublished = false
        for (const step of commands) {
          const before = await contentOf()
          const revise = isPublished ? person.writing.revise : person.writing.updateDraft
          if (step.type === 'write') await revise({ post_id, html: step.html })
          if (step.type === 'markdown') await revise({ post_id, format: 'markdown', markdown: step.markdown })
          if (step.type === 'publish') isPublished = (await person.writing.publish({ post_id })).published
          if (step.type === 'restore' && expected.length > 0) {
            const change = (await changesOf(post_id)).at(-1 - (step.nth % expected.length))!
            await person.postHistory.restore({ change_id: change.id })
            restored.push(await contentOf())
            wanted.push(expected[step.nth % expected.length])
          }
          if (step.type === 'delete') {
            const post = await stored(post_id)
            await (isPublished ? person.posts.delete : person.writing.deleteDraft)({ post_id })
            await person.postHistory.restoreDeleted({ post_id })
            restored.push(await stored(post_id))
            wanted.push(post)
          }
          if ((await contentOf()) !== before) expected.push(before)
          expect(await changesOf(post_id)).toHaveLength(expected.length)
        }
        expect(restored).toEqual(wanted)
        const changes = (await changesOf(post_id)).toReversed()
        for (const [index, { id }] of changes.entries()) {
          await person.postHistory.restore({ change_id: id })
          expect(await contentOf()).toBe(expected[index])
        }
        await person.posts.delete({ post_id })
      }),
      { numRuns: 20 },
    )
  })
})
