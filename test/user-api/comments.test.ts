import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ASTRAL, UNSTORABLE, WHITE_SPACE } from '../space-api/support/texts.ts'
import type { RestClient } from '../support/rest-client.ts'
import { type Person, useTestService } from '../support/test-service.ts'

interface Comment {
  id: string
  post_id: string
  author_handle: string
  body: string
  created_at: string
  updated_at: string
}

const service = useTestService()
let author: Person
let reader: Person
let post: string

const newPost = async (api: RestClient) => (await api.post<{ id: string }>('/posts', { html: 'x' })).body.id

beforeAll(async () => {
  ;[author, reader] = await Promise.all([service.signUp(), service.signUp()])
  post = await newPost(author.api)
})

const say = (body: unknown, by = reader.api, on = post) =>
  by.post<Comment & { errors?: { field: string }[] }>(`/posts/${on}/comments`, { body })
const listOf = async (on: string, by = reader.api) =>
  (await by.get<{ data: Comment[] }>(`/posts/${on}/comments`)).body.data

describe('a comment', () => {
  it('is listed under its post with its author, and counted', async () => {
    const own = await newPost(author.api)
    const { status, body } = await say('Lovely!', reader.api, own)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[2-9a-z]{16}$/),
      post_id: own,
      author_handle: reader.handle,
      body: 'Lovely!',
      created_at: body.created_at,
      updated_at: body.created_at,
    })
    expect(await listOf(own, author.api)).toEqual([body])
    expect((await author.api.get(`/posts/${own}`)).body.comment_count).toBe(1)
    await reader.api.delete(`/comments/${body.id}`)
    expect((await author.api.get(`/posts/${own}`)).body.comment_count).toBe(0)
  })

  it('can repeat an earlier comment by the same person; authors can also comment on their own drafts', async () => {
    const draft = await author.writing.createDraft({ html: 'x' })
    for (const text of ['a', 'a', 'b']) expect((await say(text, author.api, draft.id)).status).toBe(201)
    expect((await listOf(draft.id, author.api)).map(({ body }) => body)).toEqual(['a', 'a', 'b'])
  })

  it.each([
    ['a', 'a'],
    ['a'.repeat(500), 'a'.repeat(500)],
    [ASTRAL.repeat(500), ASTRAL.repeat(500)],
    [`${WHITE_SPACE}a\tb\n\nc${WHITE_SPACE}`, 'a\tb\n\nc'],
    ['a\r\nb\rc\n\rd', 'a\nb\nc\n\nd'],
    ['a\r\n'.repeat(250), 'a\n'.repeat(250).trim()],
    ['<script>alert(1)</script>&amp;', '<script>alert(1)</script>&amp;'],
    ['a\u2028b\ufeffc\u200bd', 'a\u2028b\ufeffc\u200bd'],
  ])('may be %j; line breaks are normalized', async (sent, kept) => {
    const { body } = await say(sent)
    expect(body.body).toBe(kept)
    expect((await listOf(body.post_id)).find(({ id }) => id === body.id)!.body).toBe(kept)
  })

  it.each([
    '',
    WHITE_SPACE,
    'a'.repeat(501),
    ASTRAL.repeat(501),
    `${'a\r\n'.repeat(250)}bb`,
    ...['\u0000', '\u000b', '\u000c', '\u001b', '\u007f', '\u0085', '\u009f'].map(one => `a${one}b`),
    ...'\u061c\u200e\u200f\u202a\u202e\u2066\u2069'.split('').map(one => `a${one}b`),
    ...UNSTORABLE,
    null,
    5,
    ['a'],
    undefined,
  ])('may not be %j', async text => {
    const { id } = (await say('before')).body
    for (const response of [
      await say(text),
      await reader.api.patch<{ errors?: { field: string }[] }>(`/comments/${id}`, { body: text }),
    ]) {
      expect(response.status).toBe(422)
      expect(new Set(response.body.errors?.map(({ field }) => field))).toEqual(new Set(['body']))
    }
  })

  it('is always returned in its cleaned form', async () => {
    const piece = fc.oneof(
      fc.constantFrom('\r', '\n', '\t', ' ', '\u00a0', '\u0007', '\u202e', ASTRAL),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    )
    const own = await newPost(author.api)
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 10 }), async pieces => {
        const sent = pieces.join('')
        const cleaned = sent.replaceAll('\r\n', '\n').replaceAll('\r', '\n').trim()
        const { status, body } = await say(sent, reader.api, own)
        const isFine = !/^$|[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(cleaned)
        expect(status).toBe(isFine ? 201 : 422)
        expect(body.body).toBe(isFine ? cleaned : undefined)
      }),
      { numRuns: 80 },
    )
  })
})

describe('the list of comments', () => {
  it('has the oldest 100, in order of creation, even if they were created in the same millisecond', async () => {
    const own = await newPost(author.api)
    const said: string[] = []
    for (let n = 0; n < 101; n++) said.push((await say(String(n), reader.api, own)).body.id)
    expect((await listOf(own)).map(({ id }) => id)).toEqual(said.slice(0, 100))
    await reader.api.delete(`/comments/${said[0]}`)
    expect((await listOf(own)).map(({ id }) => id)).toEqual(said.slice(1))
  })
})

describe('more comments than a list has', () => {
  /** The path of the next list, as callers of `/v1` send it. */
  const nextOf = (headers: Headers) => {
    const [, address] = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
    return address?.replace(`${service.core.addresses.apiRoot}/v1`, '')
  }

  it('are at the address in the Link header, one after the other, even if one is deleted or hidden meanwhile', async () => {
    const [own, stranger] = await Promise.all([newPost(author.api), service.signUp()])
    const said: string[] = []
    for (let n = 0; n < 100; n++) said.push((await say(String(n), reader.api, own)).body.id)
    const complete = await reader.api.get<{ data: Comment[] }>(`/posts/${own}/comments`)
    expect([complete.body.data.length, complete.headers.get('link')]).toEqual([100, null])

    for (let n = 0; n < 101; n++) said.push((await say(String(n), stranger.api, own)).body.id)
    const first = await reader.api.get<{ data: Comment[] }>(`/posts/${own}/comments`)
    expect(first.body).toEqual(complete.body)
    const link = nextOf(first.headers)!
    expect(link).toMatch(/^\/posts\/\w+\/comments\?after=\d+-\d+$/)
    // The comment that the cursor names.
    await reader.api.delete(`/comments/${said[99]}`)
    const second = await reader.api.get<{ data: Comment[] }>(link)
    expect(second.body.data.map(({ id }) => id)).toEqual(said.slice(100, 200))
    const third = await reader.api.get<{ data: Comment[] }>(nextOf(second.headers)!)
    expect(third.body.data.map(({ id }) => id)).toEqual(said.slice(200))
    expect(third.headers.get('link')).toBeNull()

    await reader.mutes.add({ handle: stranger.handle, block: true })
    expect((await reader.api.get(link)).body).toEqual({ data: [] })
  })

  it.each(['', '1', 'x-1', '1-', '-', '1795228444402-17-1', `1-${'9'.repeat(30)}`])(
    'the cursor %j is refused',
    async cursor => {
      const { status, body } = await reader.api.get(`/posts/${post}/comments?after=${cursor}`)
      expect([status, body.errors]).toEqual([
        422,
        [{ field: 'after', message: 'is not from a `Link` header' }],
      ])
    },
  )

  it('other query parameters are ignored, as on all operations', async () => {
    expect((await reader.api.get(`/posts/${post}/comments?before=1&post_id=x`)).status).toBe(200)
  })
})

describe('replacing a comment', () => {
  it('keeps its position under the post and raises updated_at', async () => {
    const own = await newPost(author.api)
    const { body: before } = await say('one', reader.api, own)
    await say('two', reader.api, own)
    const { status, body: after } = await reader.api.patch<Comment>(`/comments/${before.id}`, {
      body: ' ONE ',
    })
    expect(status).toBe(200)
    expect(after).toEqual({ ...before, body: 'ONE', updated_at: after.updated_at })
    expect(after.updated_at > before.updated_at).toBe(true)
    expect((await listOf(own)).map(({ body }) => body)).toEqual(['ONE', 'two'])
  })

  it('keeps updated_at if the text is the same', async () => {
    const { body } = await say('same')
    const again = await reader.api.patch<Comment>(`/comments/${body.id}`, { body: 'same\n' })
    expect(again.body).toEqual(body)
  })

  it('cannot move the comment to another post', async () => {
    const { body } = await say('x')
    const response = await reader.api.patch(`/comments/${body.id}`, { body: 'y', post_id: post })
    expect(response.body.errors).toEqual([{ field: 'post_id', message: expect.any(String) }])
  })
})

it('a comment can be changed and deleted only by its own author, not by the author of the post', async () => {
  const { body } = await say('mine')
  for (const response of [
    await author.api.patch(`/comments/${body.id}`, { body: 'yours' }),
    await author.api.delete(`/comments/${body.id}`),
  ])
    expect(response.body).toMatchObject({ status: 404, code: 'comment_not_found' })
  expect((await reader.api.delete(`/comments/${body.id}`)).status).toBe(204)
  expect((await reader.api.delete(`/comments/${body.id}`)).status).toBe(404)
})
