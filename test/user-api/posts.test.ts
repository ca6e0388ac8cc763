import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ASTRAL, UNSTORABLE, WHITE_SPACE } from '../space-api/support/texts.ts'
import type { RestClient } from '../support/rest-client.ts'
import { type Person, useWorld } from '../support/world.ts'

interface Post {
  id: string
  url: string
  format: string
  tags: string[]
  published: boolean
  published_at: string | null
  created_at: string
  updated_at: string
  html: string
  reblog: { url: string; text: string | null } | null
  like_count: number
  comment_count: number
}

const world = useWorld()
let person: Person
let api: RestClient
let other: Person

beforeAll(async () => {
  ;[person, other] = await Promise.all([world.person(), world.person()])
  api = person.api
})

const make = async (body: Record<string, unknown> = { html: 'x' }) =>
  (await api.post<Post>('/posts', body)).body
const read = async (id: string, by = api) => (await by.get<Post>(`/posts/${id}`)).body
const fieldsOf = (answer: { body: { errors?: { field: string }[] } }) =>
  (answer.body.errors ?? []).map(({ field }) => field).sort()

const SUMMARY = [
  'author_handle',
  'comment_count',
  'created_at',
  'format',
  'id',
  'like_count',
  'published',
  'published_at',
  'tags',
  'updated_at',
  'url',
]

describe('a new post', () => {
  it('is published at once, at its own origin, with nothing on it yet', async () => {
    const { status, body } = await api.post<Post>('/posts', { html: '<h1>Hello</h1>' })
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual(SUMMARY)
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

  it('is read by anybody, with its document', async () => {
    const { id } = await make({ html: '<h1>Hello</h1>' })
    for (const reader of [api, other.api]) {
      const body = await read(id, reader)
      expect(Object.keys(body).sort()).toEqual([...SUMMARY, 'html', 'reblog'].sort())
      expect(body).toMatchObject({ id, html: '<h1>Hello</h1>', reblog: null })
    }
  })

  it('stands first in the list of its author, and in nobody else’s', async () => {
    const fresh = await world.person()
    const made = []
    for (let n = 0; n < 5; n++) made.push((await fresh.api.post<Post>('/posts', { html: 'x' })).body)
    const draft = await fresh.drafts.create({ html: 'draft' })
    const { body } = await fresh.api.get<{ data: Post[] }>('/posts')
    expect(body).toEqual({ data: [draft, ...made.toReversed()] })
    expect(Object.keys(body.data[0]!).sort()).toEqual(SUMMARY)
    expect((await (await world.person()).api.get('/posts')).body).toEqual({ data: [] })
  })
})

describe('the format', () => {
  it.each([
    ['html', { html: 'x' }, { format: 'html', reblog: null, html: 'x' }],
    ['html', { format: 'html', html: 'x' }, { format: 'html', reblog: null, html: 'x' }],
    ['rich', { format: 'markdown', markdown: '*x*' }, { format: 'rich', reblog: null }],
    [
      'reblog',
      { format: 'reblog', url: 'https://a.test/b', text: 'Look' },
      { format: 'reblog', reblog: { url: 'https://a.test/b', text: 'Look' } },
    ],
    [
      'reblog',
      { format: 'reblog', url: 'https://a.test/b' },
      { format: 'reblog', reblog: { url: 'https://a.test/b', text: null } },
    ],
  ])('%s comes of %j', async (_, body, expected) => {
    const { id } = await make(body)
    expect(await read(id)).toMatchObject(expected)
  })

  it.each([
    [{}, ['html']],
    [{ format: 'html' }, ['html']],
    [{ format: 'markdown' }, ['markdown']],
    [{ format: 'reblog' }, ['url']],
    [{ format: 'reblog', text: 'x' }, ['url']],
    [{ markdown: 'x' }, ['html', 'markdown']],
    [{ html: 'x', markdown: 'x', url: 'https://a.test', text: 'x' }, ['markdown', 'text', 'url']],
    [{ format: 'markdown', markdown: 'x', html: 'x' }, ['html']],
    [{ format: 'reblog', url: 'https://a.test', html: 'x', markdown: 'x' }, ['html', 'markdown']],
    [{ format: 'reblog', url: 'ftp://a.test', html: 5 }, ['html', 'html', 'url']],
    [{ format: 'rich', html: 'x' }, ['format']],
    [{ format: 'HTML', html: 'x' }, ['format']],
    [{ format: null, html: 'x' }, ['format']],
    [{ format: 'toString', html: 5 }, ['format', 'html']],
    [{ html: null }, ['html']],
    [{ html: 5, nope: 1 }, ['html', 'nope']],
  ])('decides which fields there are: %j is refused for %j', async (body, fields) => {
    for (const answer of [
      await api.post('/posts', body),
      await api.patch(`/posts/${(await make()).id}`, body),
    ]) {
      expect(answer.status).toBe(422)
      expect(fieldsOf(answer)).toEqual(fields)
    }
  })
})

describe('a body', () => {
  it.each(['', ' ', WHITE_SPACE])('that is blank is refused', async text => {
    expect(fieldsOf(await api.post('/posts', { html: text }))).toEqual(['html'])
    expect(fieldsOf(await api.post('/posts', { format: 'markdown', markdown: text }))).toEqual(['markdown'])
  })

  it.each(UNSTORABLE)('that cannot be stored without loss is refused: %j', async text => {
    expect(fieldsOf(await api.post('/posts', { html: text }))).toEqual(['html'])
    expect(fieldsOf(await api.post('/posts', { format: 'markdown', markdown: text }))).toEqual(['markdown'])
    const reblog = { format: 'reblog', url: 'https://a.test', text }
    expect(fieldsOf(await api.post('/posts', reblog))).toEqual(['text'])
  })

  it('of HTML is kept to the byte, white space, line breaks and odd characters included', async () => {
    const character = fc.oneof(
      fc.constantFrom(
        '\r\n',
        '\r',
        '\t',
        '\ufeff',
        '\u0001',
        '\u202e',
        '<script>',
        '&amp;',
        ASTRAL,
        '\u2028',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }).filter(text => text.isWellFormed() && !text.includes('\0')),
    )
    const text = fc
      .array(character, { minLength: 1, maxLength: 20 })
      .map(parts => parts.join(''))
      .filter(text => text.trim() !== '')
    await fc.assert(
      fc.asyncProperty(text, async html => {
        expect((await read((await make({ html })).id)).html).toBe(html)
      }),
      { numRuns: 60 },
    )
  })

  it('may fill the whole request', async () => {
    const html = 'ä'.repeat((1_048_576 - '{"html":""}'.length) / 2)
    const { status, body } = await api.post<Post>('/posts', { html })
    expect(status).toBe(201)
    expect((await read(body.id)).html).toBe(html)
  })
})

describe('a reblog', () => {
  const long = (length: number) => `https://a.test/${'b'.repeat(length - 15)}`
  it.each([
    ['http://a.test', 'http://a.test'],
    ['  HTTPS://A.test:8080/b?c=d#e\n', 'HTTPS://A.test:8080/b?c=d#e'],
    ['https://bücher.test/ä', 'https://bücher.test/ä'],
    ['http://[::1]/', 'http://[::1]/'],
    [long(2048), long(2048)],
    [`https://a.test/${ASTRAL.repeat(2033)}`, `https://a.test/${ASTRAL.repeat(2033)}`],
  ])('may share %j', async (sent, kept) => {
    const { id } = await make({ format: 'reblog', url: sent })
    expect((await read(id)).reblog).toEqual({ url: kept, text: null })
  })

  it.each([
    '',
    'a.test',
    '/b',
    '//a.test',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.test',
    'mailto:a@a.test',
    'https:a.test',
    'https://',
    'https:///a',
    'https://a b.test',
    'https://a.test/a b',
    'https://a.te\nst',
    'java\nscript:alert(1)',
    'https://a.test/\u0007',
    long(2049),
    `https://a.test/${ASTRAL.repeat(2034)}`,
    5,
    null,
  ])('may not share %j', async url => {
    const answer = await api.post('/posts', { format: 'reblog', url })
    expect(answer.status).toBe(422)
    expect(new Set(fieldsOf(answer))).toEqual(new Set(['url']))
  })

  it.each([
    ['a'.repeat(200), 'a'.repeat(200)],
    [ASTRAL.repeat(200), ASTRAL.repeat(200)],
    [' two\nlines ', 'two\nlines'],
    ['  ', null],
    ['', null],
  ])('may say %j of it', async (text, kept) => {
    const { id } = await make({ format: 'reblog', url: 'https://a.test', text })
    expect((await read(id)).reblog!.text).toBe(kept)
  })

  it.each(['a'.repeat(201), ASTRAL.repeat(201), 5, null])('may not say %j of it', async text => {
    const answer = await api.post('/posts', { format: 'reblog', url: 'https://a.test', text })
    expect(fieldsOf(answer)).toEqual(['text'])
  })
})

describe('replacing a body', () => {
  it('may change the format and leaves everything else', async () => {
    const before = await make({ format: 'markdown', markdown: 'x', tags: ['b', 'a'] })
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
      expect(Object.keys(after).sort()).toEqual(SUMMARY)
    }
    expect(await read(before.id)).toMatchObject({ format: 'rich', reblog: null })
  })

  it('is seen by the next reader, and moves the time on by itself', async () => {
    const { id, created_at, updated_at } = await make()
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

  it('with the same one changes nothing', async () => {
    const { id, updated_at } = await make({ html: 'same' })
    expect((await api.patch<Post>(`/posts/${id}`, { html: 'same' })).body.updated_at).toBe(updated_at)
  })

  it('cannot touch the tags', async () => {
    const { id } = await make({ html: 'x', tags: ['a'] })
    for (const tags of [['b'], [], ['a']]) {
      const answer = await api.patch(`/posts/${id}`, { html: 'y', tags })
      expect(answer.status).toBe(422)
      expect(fieldsOf(answer)).toEqual(['tags'])
    }
    expect(await read(id)).toMatchObject({ html: 'x', tags: ['a'] })
  })

  it('gives each of many at once a time of its own', async () => {
    const { id } = await make()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => api.patch<Post>(`/posts/${id}`, { html: `body ${n}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(Date.parse((await read(id)).updated_at)).toBeGreaterThan(Date.parse((await read(id)).created_at))
  })
})

describe('posts of others', () => {
  it('can be read, and neither replaced nor deleted', async () => {
    const { id } = await make()
    expect((await other.api.get(`/posts/${id}`)).status).toBe(200)
    for (const answer of [
      await other.api.patch(`/posts/${id}`, { html: 'mine' }),
      await other.api.delete(`/posts/${id}`),
    ])
      expect(answer.body).toMatchObject({ status: 404, code: 'post_not_found' })
    expect((await read(id)).html).toBe('x')
  })

  it('that are drafts are hidden as if they were not there, by all that they answer', async () => {
    const draft = await person.drafts.create({ html: 'secret' })
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
  it('takes it away at once with its likes and comments', async () => {
    const { id } = await make()
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

  it('while many comment on it and like it leaves no fault behind', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await make()
      const answers = await Promise.all([
        ...Array.from({ length: 6 }, () => other.api.post(`/posts/${id}/comments`, { body: 'x' })),
        ...Array.from({ length: 6 }, () => other.api.put(`/posts/${id}/like`)),
        api.delete(`/posts/${id}`),
      ])
      expect(answers.at(-1)!.status).toBe(204)
      for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status)
    }
  })
})
