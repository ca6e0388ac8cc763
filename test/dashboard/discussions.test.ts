import { beforeAll, describe, expect, test } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'

const service = useTestService({ operators: ['chief'] })
let author: Person
let reader: Person

beforeAll(async () => {
  ;[author, reader] = await Promise.all([service.signUp(), service.signUp()])
})

const newPost = async () => (await author.posts.create({ format: 'markdown', markdown: '# Beans' })).id

const close = (post_id: string, is_closed = true) => author.discussions.setClosed({ post_id, is_closed })

describe('a post closed for comments', () => {
  test('refuses comments from everyone, and accepts them after it is reopened', async () => {
    const post_id = await newPost()
    await close(post_id)
    for (const person of [reader, author]) {
      const { status, body } = await person.api.post<{ errors: unknown }>(`/posts/${post_id}/comments`, {
        body: 'too late',
      })
      expect([status, body]).toMatchObject([
        422,
        {
          code: 'validation_failed',
          errors: [
            {
              field: '$',
              message: 'cannot be added, because the author has closed this post for comments',
            },
          ],
        },
      ])
    }
    expect((await author.discussions.get({ post_id })).comment_count).toBe(0)
    await close(post_id, false)
    expect((await reader.api.post(`/posts/${post_id}/comments`, { body: 'in time' })).status).toBe(201)
  })

  test('keeps its comments, which their authors can still edit and delete', async () => {
    const post_id = await newPost()
    const { id: comment_id } = await reader.comments.create({ post_id, body: 'first' })
    await close(post_id)
    await reader.comments.update({ comment_id, body: 'second' })
    expect((await reader.comments.list({ post_id })).data).toMatchObject([{ body: 'second' }])
    await reader.comments.delete({ comment_id })
    expect((await reader.comments.list({ post_id })).data).toEqual([])
  })

  test('keeps updated_at and its history, and can still be liked', async () => {
    const post_id = await newPost()
    const before = await author.posts.get({ post_id })
    await close(post_id)
    await close(post_id)
    await reader.likes.add({ post_id })
    expect(await author.posts.get({ post_id })).toEqual({ ...before, like_count: 1 })
    expect((await author.postHistory.list({ post_id })).changes).toEqual([])
  })

  test('is still closed after it was deleted and restored', async () => {
    const [closed, open] = [await newPost(), await newPost()]
    await close(closed)
    for (const post_id of [closed, open]) {
      await author.posts.delete({ post_id })
      await author.postHistory.restoreDeleted({ post_id })
    }
    expect((await author.discussions.get({ post_id: closed })).is_closed).toBe(true)
    expect((await author.discussions.get({ post_id: open })).is_closed).toBe(false)
  })

  test('stays closed when it is published, if it was closed as a draft', async () => {
    const { id: post_id } = await author.writing.createDraft({ html: 'x' })
    await close(post_id)
    await author.writing.publish({ post_id })
    expect(await errorCodeOf(reader.comments.create({ post_id, body: 'x' }))).toBe('validation_failed')
  })
})

describe('the comments on a person’s own post', () => {
  test('are counted without those of suspended accounts', async () => {
    const post_id = await newPost()
    const chief = await service.signUp('chief')
    const suspended = await service.signUp()
    for (const person of [reader, suspended]) await person.comments.create({ post_id, body: 'x' })
    await chief.suspensions.add({ handle: suspended.handle, reason: 'Spam' })
    const { comments, comment_count } = await author.discussions.get({ post_id })
    expect([comments.length, comment_count]).toEqual([1, 1])
  })

  test('are listed latest first with their authors, page by page', async () => {
    const post_id = await newPost()
    const bodies = Array.from({ length: 31 }, (_, index) => `number ${index}`)
    for (const body of bodies) await reader.comments.create({ post_id, body })
    const first = await author.discussions.get({ post_id })
    expect(first).toMatchObject({ title: 'Beans', published: true, is_closed: false, comment_count: 31 })
    expect(first.comments[0]).toMatchObject({ author_handle: reader.handle, author_name: reader.handle })
    const second = await author.discussions.get({ post_id, cursor: first.next })
    expect([...first.comments, ...second.comments].map(({ body }) => body)).toEqual(bodies.toReversed())
    expect(second.next).toBeNull()
  })

  test('include the HTML of a comment written in Markdown, but not after its text has been replaced', async () => {
    const post_id = await newPost()
    const { id } = await reader.discussions.addComment({ post_id, body: 'They *grow*' })
    await reader.comments.create({ post_id, body: 'They *sleep*' })
    const listed = async () =>
      (await author.discussions.get({ post_id })).comments.map(({ body, html }) => [body, html?.trim()])
    expect(await listed()).toEqual([
      ['They *sleep*', undefined],
      ['They *grow*', '<p>They <em>grow</em></p>'],
    ])
    await reader.comments.update({ comment_id: id, body: 'They *grew*' })
    expect(await listed()).toEqual([
      ['They *sleep*', undefined],
      ['They *grew*', undefined],
    ])
  })

  test('cannot be listed with a malformed cursor', async () => {
    const post_id = await newPost()
    expect(await errorCodeOf(author.discussions.get({ post_id, cursor: 'x' }))).toBe('validation_failed')
  })

  test('stay open when another person tries to close the post', async () => {
    const post_id = await newPost()
    expect(await errorCodeOf(reader.discussions.setClosed({ post_id, is_closed: true }))).toBe(
      'post_not_found',
    )
    expect((await author.discussions.get({ post_id })).is_closed).toBe(false)
  })
})
