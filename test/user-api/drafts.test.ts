import { beforeAll, describe, expect, it } from 'vitest'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'

const service = useTestService()
let person: Person
let other: Person

beforeAll(async () => {
  ;[person, other] = await Promise.all([service.signUp(), service.signUp()])
})

describe('a draft', () => {
  it('is an unpublished post that only its author can read', async () => {
    const draft = await person.writing.createDraft({ format: 'markdown', markdown: '# A', tags: ['b', '#a'] })
    expect(draft).toMatchObject({
      author_handle: person.handle,
      format: 'rich',
      tags: ['a', 'b'],
      published: false,
      published_at: null,
    })
    expect((await person.api.get(`/posts/${draft.id}`)).body).toMatchObject(draft)
    expect((await person.posts.list({})).data).toContainEqual(draft)
    expect(await errorCodeOf(other.posts.get({ post_id: draft.id }))).toBe('post_not_found')
  })

  it('stays a draft when a token replaces its body', async () => {
    const { id } = await person.writing.createDraft({ html: 'x' })
    const { status, body } = await person.api.patch(`/posts/${id}`, { html: 'y' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ published: false, published_at: null })
    expect((await other.api.get(`/posts/${id}`)).status).toBe(404)
  })

  it('can get a new body, with or without new tags', async () => {
    const { id } = await person.writing.createDraft({ html: 'x', tags: ['a'] })
    const first = await person.writing.updateDraft({ post_id: id, html: 'y' })
    expect(first.tags).toEqual(['a'])
    const second = await person.writing.updateDraft({ post_id: id, html: 'y', tags: ['c', 'b'] })
    expect(second.tags).toEqual(['b', 'c'])
    expect(second.updated_at > first.updated_at).toBe(true)
    expect(await person.writing.updateDraft({ post_id: id, html: 'y', tags: ['b', 'c'] })).toEqual(second)
  })

  it('has the same rules as posts', async () => {
    expect(await errorFields(person.writing.createDraft({ html: ' ' }))).toEqual(['html'])
    expect(await errorFields(person.writing.createDraft({ format: 'reblog' }))).toEqual(['url'])
    const { id } = await person.writing.createDraft({ html: 'x' })
    expect(await errorFields(person.writing.updateDraft({ post_id: id, format: 'markdown' }))).toEqual([
      'markdown',
    ])
  })

  it('has the same size limit as an API request', async () => {
    expect(await errorCodeOf(person.writing.createDraft({ html: 'ä'.repeat(524_288) }))).toBeUndefined()
    expect(await errorFields(person.writing.createDraft({ html: `${'ä'.repeat(524_288)}b` }))).toEqual([
      'html',
    ])
  })

  it('is not affected by updates of other posts', async () => {
    const draft = await person.writing.createDraft({ html: 'x' })
    await person.api.post('/posts', { html: 'x' })
    expect((await person.posts.get({ post_id: draft.id })).published).toBe(false)
  })
})

describe('publishing a draft', () => {
  it('lets everyone read the post, and succeeds again if it is repeated', async () => {
    const draft = await person.writing.createDraft({ html: 'x', tags: ['a'] })
    const published = await person.writing.publish({ post_id: draft.id })
    expect(published).toEqual({
      ...draft,
      published: true,
      published_at: published.published_at,
      updated_at: published.updated_at,
    })
    expect(published.published_at! >= draft.created_at).toBe(true)
    expect(published.updated_at > draft.updated_at).toBe(true)
    expect((await other.api.get(`/posts/${draft.id}`)).body).toMatchObject(published)
    expect(await person.writing.publish({ post_id: draft.id })).toEqual(published)
  })

  it('happens only once, even in several concurrent calls', async () => {
    const { id } = await person.writing.createDraft({ html: 'x' })
    const responses = await Promise.all([1, 2, 3].map(() => person.writing.publish({ post_id: id })))
    expect(new Set(responses.map(({ published_at }) => published_at)).size).toBe(1)
  })
})

describe('a post that is not your draft', () => {
  it('cannot be changed or deleted as a draft if it is published, missing, or of another account', async () => {
    const published = (await person.posts.create({ html: 'x', tags: ['a'] })).id
    const foreign = (await other.writing.createDraft({ html: 'x' })).id
    for (const post_id of [published, foreign, 'a'.repeat(16), 'x']) {
      expect(await errorCodeOf(person.writing.updateDraft({ post_id, html: 'y', tags: ['b'] }))).toBe(
        'post_not_found',
      )
      expect(await errorCodeOf(person.writing.deleteDraft({ post_id }))).toBe('post_not_found')
    }
    for (const post_id of [foreign, 'a'.repeat(16)])
      expect(await errorCodeOf(person.writing.publish({ post_id }))).toBe('post_not_found')
    expect(await person.posts.get({ post_id: published })).toMatchObject({ html: 'x', tags: ['a'] })
  })
})

it('a deleted draft is not found', async () => {
  const { id } = await person.writing.createDraft({ html: 'x' })
  await person.writing.deleteDraft({ post_id: id })
  expect((await person.api.get(`/posts/${id}`)).status).toBe(404)
})

it('only a session can create drafts', async () => {
  expect(await errorCodeOf(service.anonymous().writing.createDraft({ html: 'x' }))).toBe('sign_in_required')
})

describe('a session', () => {
  it('can do everything that a token can, without a rate limit', async () => {
    const me = await person.me.get({})
    expect(me.scopes).toEqual(['posts', 'comments', 'likes', 'profile'])
    const { id } = await person.posts.create({ html: 'x' })
    expect((await person.likes.add({ post_id: id })).like_count).toBe(1)
    const comment = await person.comments.create({ post_id: id, body: 'x' })
    expect(comment.author_handle).toBe(person.handle)
    expect((await person.me.update({ bio: 'From the dashboard.' })).bio).toBe('From the dashboard.')
  })

  it('is needed if there is no token', async () => {
    expect(await errorCodeOf(service.anonymous().posts.list({}))).toBe('unauthorized')
    expect(await errorCodeOf(service.anonymous().me.get({}))).toBe('unauthorized')
  })
})
