import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ASTRAL, UNSTORABLE, WHITE_SPACE } from '../space-api/support/texts.ts'
import type { RestClient } from '../support/rest-client.ts'
import { useTestService } from '../support/test-service.ts'
import { errorFieldsOf, type Post } from './support/post.ts'

const service = useTestService()
let api: RestClient

beforeAll(async () => {
  api = (await service.signUp()).api
})

const createPost = async (body: Record<string, unknown> = { html: 'x' }) =>
  (await api.post<Post>('/posts', body)).body
const read = async (id: string) => (await api.get<Post>(`/posts/${id}`)).body

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
  ])('is %s for %j', async (_, body, expected) => {
    const { id } = await createPost(body)
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
  ])('determines the allowed fields: %j is rejected with errors for %j', async (body, fields) => {
    for (const response of [
      await api.post('/posts', body),
      await api.patch(`/posts/${(await createPost()).id}`, body),
    ]) {
      expect(response.status).toBe(422)
      expect(errorFieldsOf(response)).toEqual(fields)
    }
  })
})

describe('a body', () => {
  it.each(['', ' ', WHITE_SPACE])('cannot be blank', async text => {
    expect(errorFieldsOf(await api.post('/posts', { html: text }))).toEqual(['html'])
    expect(errorFieldsOf(await api.post('/posts', { format: 'markdown', markdown: text }))).toEqual([
      'markdown',
    ])
  })

  it.each(UNSTORABLE)('is rejected if it cannot be stored without loss: %j', async text => {
    expect(errorFieldsOf(await api.post('/posts', { html: text }))).toEqual(['html'])
    expect(errorFieldsOf(await api.post('/posts', { format: 'markdown', markdown: text }))).toEqual([
      'markdown',
    ])
    const reblog = { format: 'reblog', url: 'https://a.test', text }
    expect(errorFieldsOf(await api.post('/posts', reblog))).toEqual(['text'])
  })

  it('is kept byte for byte if it is HTML', async () => {
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
        expect((await read((await createPost({ html })).id)).html).toBe(html)
      }),
      { numRuns: 60 },
    )
  })

  it('can be as long as the request allows', async () => {
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
  ])('can share %j', async (sent, kept) => {
    const { id } = await createPost({ format: 'reblog', url: sent })
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
  ])('cannot share %j', async url => {
    const response = await api.post('/posts', { format: 'reblog', url })
    expect(response.status).toBe(422)
    expect(new Set(errorFieldsOf(response))).toEqual(new Set(['url']))
  })

  it.each([
    ['a'.repeat(200), 'a'.repeat(200)],
    [ASTRAL.repeat(200), ASTRAL.repeat(200)],
    [' two\nlines ', 'two\nlines'],
    ['  ', null],
    ['', null],
  ])('can have the comment %j', async (text, kept) => {
    const { id } = await createPost({ format: 'reblog', url: 'https://a.test', text })
    expect((await read(id)).reblog!.text).toBe(kept)
  })

  it.each(['a'.repeat(201), ASTRAL.repeat(201), 5, null])('cannot have the comment %j', async text => {
    const response = await api.post('/posts', { format: 'reblog', url: 'https://a.test', text })
    expect(errorFieldsOf(response)).toEqual(['text'])
  })
})
