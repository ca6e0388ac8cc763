import { beforeAll, describe, expect, it } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { errorFieldsOf, LISTED_FIELDS, type Post } from './support/post.ts'

const service = useTestService()
let person: Person
let api: RestClient
let other: Person

beforeAll(async () => {
  ;[person, other] = await Promise.all([service.signUp(), service.signUp()])
  api = person.api
})

const createPost = async (body: Record<string, unknown> = { html: 'x' }) =>
  (await api.post<Post>('/posts', body)).body
const read = async (id: string, by = api) => (await by.get<Post>(`/posts/${id}`)).body

describe('a new post', () => {
  it('is published immediately at its own origin, without likes and comments', async () => {
    const { status, body } = await api.post<Post>('/posts', { html: '<h1>Hello</h1>' })
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual(LISTED_FIELDS)
    expect(body).toMatchObject({
      author_handle: person.handle,
      format: 'html',
      tags: [],
      published: true,
      like_count: 0,
      comment_count: 0,
    })
    expect(body.id).toMatch(/^[2-9a-z]{16}$/)
    expect(body.url).toBe(`http://${body.id}.posts.localhost`)
    expect(body.updated_at).toBe(body.created_at)
    expect(body.published_at).toBe(body.created_at)
  })

  it('can be read by anyone, with its document', async () => {
    const { id } = await createPost({ html: '<h1>Hello</h1>' })
    for (const reader of [api, other.api]) {
      const body = await read(id, reader)
      expect(Object.keys(body).sort()).toEqual([...LISTED_FIELDS, 'html', 'reblog'].sort())
      expect(body).toMatchObject({ id, html: '<h1>Hello</h1>', reblog: null })
    }
  })

  it('is first in the list of its author’s posts, and in no other author’s list', async () => {
    const fresh = await service.signUp()
    const created = []
    for (let n = 0; n < 5; n++) created.push((await fresh.api.post<Post>('/posts', { html: 'x' })).body)
    const draft = await fresh.writing.createDraft({ html: 'draft' })
    const { body } = await fresh.api.get<{ data: Post[] }>('/posts')
    expect(body).toEqual({ data: [draft, ...created.toReversed()] })
    expect(Object.keys(body.data[0]!).sort()).toEqual(LISTED_FIELDS)
    expect((await (await service.signUp()).api.get('/posts')).body).toEqual({ data: [] })
  })
})

describe('replacing a body', () => {
  it('can change only two other fields of the post: the format and updated_at', async () => {
    const before = await createPost({ format: 'markdown', markdown: 'x', tags: ['b', 'a'] })
    const bodies = [
      { html: '<p>y' },
      { format: 'reblog', url: 'https://a.test', text: 'z' },
      { format: 'markdown', markdown: 'z' },
    ]
    for (const body of bodies) {
      const { status, body: after } = await api.patch<Post>(`/posts/${before.id}`, body)
      expect(status).toBe(200)
      expect(after).toEqual({
        ...before,
        format: body.format === 'markdown' ? 'rich' : (body.format ?? 'html'),
        updated_at: after.updated_at,
      })
      expect(Object.keys(after).sort()).toEqual(LISTED_FIELDS)
    }
    expect(await read(before.id)).toMatchObject({ format: 'rich', reblog: null })
  })

  it('shows the new body immediately and raises updated_at', async () => {
    const { id, created_at, updated_at } = await createPost()
    let last = updated_at
    for (const html of ['a', 'b', 'c']) {
      await api.patch(`/posts/${id}`, { html })
      const body = await read(id, other.api)
      expect(body.html).toBe(html)
      expect(body.created_at).toBe(created_at)
      expect(body.updated_at > last).toBe(true)
      last = body.updated_at
    }
  })

  it('keeps updated_at if the body is the same', async () => {
    const { id, updated_at } = await createPost({ html: 'same' })
    expect((await api.patch<Post>(`/posts/${id}`, { html: 'same' })).body.updated_at).toBe(updated_at)
  })

  it('cannot change the tags', async () => {
    const { id } = await createPost({ html: 'x', tags: ['a'] })
    for (const tags of [['b'], [], ['a']]) {
      const response = await api.patch(`/posts/${id}`, { html: 'y', tags })
      expect(response.status).toBe(422)
      expect(errorFieldsOf(response)).toEqual(['tags'])
    }
    expect(await read(id)).toMatchObject({ html: 'x', tags: ['a'] })
  })

  it('raises updated_at even if several requests are concurrent', async () => {
    const { id } = await createPost()
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => api.patch<Post>(`/posts/${id}`, { html: `body ${n}` })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(Date.parse((await read(id)).updated_at)).toBeGreaterThan(Date.parse((await read(id)).created_at))
  })
})

describe('posts of others', () => {
  it('can be read, but not changed or deleted', async () => {
    const { id } = await createPost()
    expect((await other.api.get(`/posts/${id}`)).status).toBe(200)
    for (const response of [
      await other.api.patch(`/posts/${id}`, { html: 'mine' }),
      await other.api.delete(`/posts/${id}`),
    ])
      expect(response.body).toMatchObject({ status: 404, code: 'post_not_found' })
    expect((await read(id)).html).toBe('x')
  })

  it('that are drafts get the same response as missing posts', async () => {
    const draft = await person.writing.createDraft({ html: 'secret' })
    const missing = 'a'.repeat(16)
    const calls = (id: string) => [
      other.api.get(`/posts/${id}`),
      other.api.patch(`/posts/${id}`, { html: 'x' }),
      other.api.delete(`/posts/${id}`),
      other.api.get(`/posts/${id}/comments`),
      other.api.post(`/posts/${id}/comments`, { body: 'x' }),
      other.api.put(`/posts/${id}/like`),
      other.api.delete(`/posts/${id}/like`),
    ]
    const [hidden, absent] = await Promise.all([Promise.all(calls(draft.id)), Promise.all(calls(missing))])
    expect(hidden.map(({ body }) => body)).toEqual(absent.map(({ body }) => body))
    for (const { body } of hidden) expect(body).toMatchObject({ status: 404, code: 'post_not_found' })
    expect(await read(draft.id)).toMatchObject({ html: 'secret', like_count: 0, comment_count: 0 })
  })
})

describe('deleting a post', () => {
  it('also deletes the post’s likes and comments', async () => {
    const { id } = await createPost()
    const comment = await other.api.post<{ id: string }>(`/posts/${id}/comments`, { body: 'x' })
    await other.api.put(`/posts/${id}/like`)
    const { status, headers } = await api.delete(`/posts/${id}`)
    expect(status).toBe(204)
    expect(headers.get('content-type')).toBeNull()
    expect((await api.get(`/posts/${id}`)).status).toBe(404)
    expect((await api.delete(`/posts/${id}`)).status).toBe(404)
    expect((await other.api.patch(`/comments/${comment.body.id}`, { body: 'y' })).body.code).toBe(
      'comment_not_found',
    )
  })

  it('causes no internal error while comments and likes are added', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await createPost()
      const responses = await Promise.all([
        ...Array.from({ length: 6 }, () => other.api.post(`/posts/${id}/comments`, { body: 'x' })),
        ...Array.from({ length: 6 }, () => other.api.put(`/posts/${id}/like`)),
        api.delete(`/posts/${id}`),
      ])
      expect(responses.at(-1)!.status).toBe(204)
      for (const { status } of responses) expect([200, 201, 204, 404]).toContain(status)
    }
  })
})
