import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { userRules } from '../../routers/api/rules.ts'
import { ASTRAL, UNSTORABLE, WHITE_SPACE } from '../space-api/support/texts.ts'
import type { RestClient } from '../support/rest-client.ts'
import { type Person, uniqueName, useTestService } from '../support/test-service.ts'

const service = useTestService()
let person: Person
let api: RestClient

beforeAll(async () => {
  person = await service.signUp()
  api = person.api
})

const fieldsOf = (response: { body: { errors?: { field: string }[] } }) =>
  (response.body.errors ?? []).map(({ field }) => field)

const DIRECTION = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'.split('')

describe('GET /me', () => {
  it('has empty fields for a new account', async () => {
    const fresh = await service.signUp()
    const { body } = await (await fresh.apiWith('likes', 'posts')).get('/me')
    expect(body).toEqual({
      handle: fresh.handle,
      display_name: null,
      icon_url: null,
      bio: null,
      scopes: ['posts', 'likes'],
      rules: userRules,
      rate_limit: { requests_per_minute: 1_000_000 },
    })
  })

  it('returns the documented rules', async () => {
    const { rules } = (await api.get<{ rules: unknown }>('/me')).body
    expect(rules).toMatchObject({
      profile: {
        handle: { min_length: 3, max_length: 15 },
        display_name: { max_length: 30 },
        bio: { max_length: 1000 },
        icon: { width: 256, height: 256, max_bytes: 1_048_576 },
      },
      post: { formats: ['html', 'markdown', 'reblog'], text: { max_length: 200 }, tags: { max_count: 5 } },
      comment: { body: { min_length: 1, max_length: 500 } },
    })
  })
})

describe('PATCH /me', () => {
  it('returns the updated account and keeps omitted fields', async () => {
    await api.patch('/me', { display_name: 'Robin', bio: 'Beans.' })
    expect((await api.patch('/me', { bio: 'More beans.' })).body).toMatchObject({
      display_name: 'Robin',
      bio: 'More beans.',
    })
    expect((await api.get('/me')).body).toMatchObject({ display_name: 'Robin', bio: 'More beans.' })
  })

  it('changes nothing if the body has no fields', async () => {
    const before = (await api.get('/me')).body
    const { status, body } = await api.patch('/me', {})
    expect(status).toBe(200)
    expect(body).toEqual(before)
  })

  it('changes nothing if a field is invalid, and reports every error', async () => {
    const before = (await api.get('/me')).body
    const response = await api.patch('/me', {
      handle: 'x',
      display_name: `a\n${'b'.repeat(31)}`,
      bio: 'a\u202eb\u0007',
      nope: 1,
    })
    expect(response.status).toBe(422)
    expect(fieldsOf(response).sort()).toEqual([
      'bio',
      'bio',
      'display_name',
      'display_name',
      'handle',
      'nope',
    ])
    expect(fieldsOf(await api.patch('/me', { bio: 'fine', handle: '' }))).toEqual(['handle'])
    expect((await api.get('/me')).body).toEqual(before)
  })
})

describe('a handle', () => {
  it.each([
    ['abc', 'abc'],
    ['a._', 'a._'],
    ['...', '...'],
    ['Abcdefghij12345', 'Abcdefghij12345'],
    [`${WHITE_SPACE}@Robin.9${WHITE_SPACE}`, 'Robin.9'],
  ])('may be %j, and is kept as %j', async (sent, kept) => {
    expect((await api.patch('/me', { handle: sent })).body.handle).toBe(kept)
  })

  it.each([
    'ab',
    'abcdefghij123456',
    '@ab',
    '@@abc',
    'a b c',
    'a-bc',
    'äbcd',
    'abc\n.',
    'ａｂｃ',
    '',
    ' ',
    '@',
    null,
    5,
    ['abc'],
  ])('may not be %j', async handle => {
    const response = await api.patch('/me', { handle })
    expect(response.status).toBe(422)
    expect(fieldsOf(response)).toEqual(['handle'])
  })

  it('of another account is refused in any letter case, and the profile does not change', async () => {
    const other = await service.signUp(uniqueName('Other'))
    const before = (await api.get('/me')).body
    for (const handle of [other.handle, other.handle.toUpperCase(), `@${other.handle.toLowerCase()}`]) {
      const { status, body } = await api.patch('/me', { handle, display_name: 'New', bio: 'New' })
      expect(status).toBe(409)
      expect(body.code).toBe('handle_taken')
    }
    expect((await api.get('/me')).body).toEqual(before)
  })

  it('may be replaced by itself, even in a different letter case', async () => {
    const own = await service.signUp()
    const upper = own.handle.toUpperCase()
    expect((await own.api.patch('/me', { handle: upper })).body.handle).toBe(upper)
    expect((await own.api.patch('/me', { handle: upper })).status).toBe(200)
  })

  it('can be taken by others after its owner changes it, and earlier posts show the owner’s new handle', async () => {
    const [one, two] = await Promise.all([service.signUp(), service.signUp()])
    const { id } = (await one.api.post<{ id: string }>('/posts', { html: 'x' })).body
    const renamed = uniqueName('renamed')
    await one.api.patch('/me', { handle: renamed })
    expect((await two.api.patch('/me', { handle: one.handle })).status).toBe(200)
    expect((await two.api.get(`/posts/${id}`)).body.author_handle).toBe(renamed)
  })

  it('can be taken by only one of many concurrent callers', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => service.signUp()))
    const wanted = uniqueName('Wanted')
    const responses = await Promise.all(
      people.map(({ api }, index) =>
        api.patch('/me', { handle: index % 2 ? wanted : wanted.toUpperCase(), bio: 'won' }),
      ),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ body }) => body.code === 'handle_taken')).toHaveLength(11)
    const bios = await Promise.all(people.map(async ({ api }) => (await api.get('/me')).body.bio))
    expect(bios.filter(bio => bio === 'won')).toHaveLength(1)
  })
})

describe('a display name', () => {
  it.each([
    ['a', 'a'],
    [ASTRAL.repeat(30), ASTRAL.repeat(30)],
    [`${WHITE_SPACE}Robin  Field${WHITE_SPACE}`, 'Robin  Field'],
    [' '.repeat(5000), null],
    ['', null],
    [null, null],
    ['<b>&"\'', '<b>&"\''],
    ['\u05e9\u05dc\u05d5\u05dd', '\u05e9\u05dc\u05d5\u05dd'],
  ])('may be %j, and is kept as %j', async (sent, kept) => {
    await api.patch('/me', { display_name: 'before' })
    expect((await api.patch('/me', { display_name: sent })).body.display_name).toBe(kept)
  })

  it.each([
    'a'.repeat(31),
    ASTRAL.repeat(31),
    ...['\n', '\r', '\t', '\u0000', '\u001f', '\u007f', '\u0085', '\u009f', '\u2028', '\u2029'].map(
      character => `a${character}b`,
    ),
    ...DIRECTION.map(character => `a${character}b`),
    ...DIRECTION,
    ...UNSTORABLE,
    5,
    [],
    {},
    false,
  ])('may not be %j', async display_name => {
    const response = await api.patch('/me', { display_name })
    expect(response.status).toBe(422)
    expect(new Set(fieldsOf(response))).toEqual(new Set(['display_name']))
  })
})

describe('a bio', () => {
  it.each([
    ['a\nb', 'a\nb'],
    ['\r\n a\r\nb\rc\n\rd \t\n', 'a\nb\nc\n\nd'],
    ['a'.repeat(1000), 'a'.repeat(1000)],
    [ASTRAL.repeat(1000), ASTRAL.repeat(1000)],
    ['a\r\n'.repeat(500), 'a\n'.repeat(500).trim()],
    ['\n', null],
    ['', null],
    [null, null],
  ])('may have several lines; line breaks are normalized', async (sent, kept) => {
    await api.patch('/me', { bio: 'before' })
    expect((await api.patch('/me', { bio: sent })).body.bio).toBe(kept)
  })

  it.each([
    'a'.repeat(1001),
    ASTRAL.repeat(1001),
    `${'a\r\n'.repeat(500)}b`.padEnd(1502, 'b'),
    'a\tb',
    ...['\u0000', '\u000b', '\u001f', '\u007f', '\u0085', '\u009f'].map(character => `a${character}b`),
    ...DIRECTION.map(character => `a${character}b`),
    ...UNSTORABLE,
    5,
  ])('may not be %j', async bio => {
    const response = await api.patch('/me', { bio })
    expect(response.status).toBe(422)
    expect(new Set(fieldsOf(response))).toEqual(new Set(['bio']))
  })
})

it('accepted profile texts are returned in their cleaned form', async () => {
  const pieces = fc.constantFrom('a', ' ', '\n', '\r', '\t', '\u00a0', ASTRAL, 'é', '\u202e', '\u0007', '#')
  const text = fc.array(fc.oneof(pieces, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(text, async parts => {
      const sent = parts.join('')
      const cleaned = sent.replaceAll('\r\n', '\n').replaceAll('\r', '\n').trim()
      const isFine = !/[^\P{Cc}\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(cleaned)
      const { status, body } = await api.patch('/me', { bio: sent })
      expect(status).toBe(isFine ? 200 : 422)
      expect(body.bio).toBe(isFine ? cleaned || null : undefined)
    }),
    { numRuns: 150 },
  )
})
