import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { request } from '../space-api/support/http.ts'
import { type Person, type TestSpace, useTestService } from '../support/test-service.ts'

const CALLS = 50
const service = useTestService({ callsPerMinute: CALLS })
let space: TestSpace
let person: Person
const usedUp = { key: '', token: '' }

beforeAll(async () => {
  // Stop the clock, so that the one-minute window of the rate limit does not end during the tests.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  person = await service.signUp()
  space = await service.createSpace()
  await service.signUp('Taken')
  await space.api.post('/pages', { slug: 'taken', html: 'x' })
  usedUp.key = await space.key('data')
  usedUp.token = await person.token('posts')
  for (let call = 0; call < CALLS; call++) {
    await service.rest(usedUp.key).get(`/spaces/${space.subdomain}`)
    await service.rest(usedUp.token).get('/me')
  }
})
afterAll(() => {
  vi.useRealTimers()
})

interface Sent {
  method: string
  path: string
  credential: string
  type: string
  body: string
}

/** An error code, and a function that changes a valid request so that it causes this error. */
type Fault = [code: string, spoil: (sent: Sent) => Partial<Sent> | Promise<Partial<Sent>>]

const withField = (body: string, field: string, value: unknown) =>
  JSON.stringify({ ...(JSON.parse(body) as object), [field]: value })

/** Errors of both APIs in the order in which they are checked, before and after the checks of access. */
const before: Fault[] = [
  ['not_found', ({ path }) => ({ path: `${path}/` })],
  ['method_not_allowed', () => ({ method: 'PUT' })],
  ['unauthorized', () => ({ credential: 'nobody' })],
]
const after: Fault[] = [
  ['unsupported_media_type', () => ({ type: 'text/plain' })],
  ['payload_too_large', ({ body }) => ({ body: body + ' '.repeat(1_048_577) })],
  ['invalid_json', ({ body }) => ({ body: body.replace('{', '{{') })],
  ['validation_failed', ({ body }) => ({ body: withField(body, 'nope', 1) })],
]

/** For each API: a valid request, and the errors in the order of their checks. */
const APIS: [api: string, valid: () => Promise<Omit<Sent, 'type'>>, faults: Fault[]][] = [
  [
    'Space API',
    async () => ({
      method: 'POST',
      path: `/v1/spaces/${space.subdomain}/pages`,
      credential: await space.key('pages'),
      body: JSON.stringify({ slug: 'free', html: 'x' }),
    }),
    [
      ...before,
      ['rate_limited', () => ({ credential: usedUp.key })],
      ['space_mismatch', ({ path }) => ({ path: path.replace(space.subdomain, 'elsewhere') })],
      ['insufficient_scope', async () => ({ credential: await space.key('data') })],
      ...after,
      ['slug_taken', ({ body }) => ({ body: withField(body, 'slug', 'taken') })],
    ],
  ],
  [
    'User API',
    async () => ({
      method: 'PATCH',
      path: '/v1/me',
      credential: await person.token('profile'),
      body: JSON.stringify({ bio: 'x' }),
    }),
    [
      ...before,
      ['rate_limited', () => ({ credential: usedUp.token })],
      ['insufficient_scope', async () => ({ credential: await person.token('posts') })],
      ...after,
      ['handle_taken', ({ body }) => ({ body: withField(body, 'handle', 'tAKEN') })],
    ],
  ],
]

describe.each(APIS)(
  'a request to the %s with two errors gets the error whose check comes first',
  (_, valid, faults) => {
    const pairs = faults.flatMap(([first], index) =>
      faults.slice(index + 1).map(([second]) => ({ first, second })),
    )

    it.each(pairs)('$first before $second', async ({ first, second }) => {
      const sent: Sent = { type: 'application/json', ...(await valid()) }
      // Apply the later fault first. For example, the fault for `validation_failed` parses the body, and the fault for
      // `invalid_json` makes the body impossible to parse.
      for (const [code, spoil] of faults.toReversed())
        if (code === first || code === second) Object.assign(sent, await spoil(sent))
      const response = await request(service.root, sent.method, sent.path, {
        headers: { Authorization: `Bearer ${sent.credential}`, 'Content-Type': sent.type },
        body: sent.body,
      })
      expect(response.body.code).toBe(first)
    })
  },
)

const missing = 'a'.repeat(16)
it.each([
  ['PATCH', `/pages/${missing}`, {}, 'validation_failed'],
  ['PATCH', `/pages/${missing}`, { slug: 'taken' }, 'page_not_found'],
  ['PATCH', `/parts/${missing}`, { name: 'A' }, 'validation_failed'],
  ['PATCH', `/parts/${missing}`, { html: "{% render 'x' %}" }, 'part_not_found'],
  ['PATCH', `/files/${missing}`, { name: '.' }, 'validation_failed'],
  ['PATCH', `/files/${missing}`, {}, 'file_not_found'],
  ['PUT', '/data/none', { value: 1, version: 'x' }, 'validation_failed'],
  ['PUT', '/data/none', { value: 1, version: 7 }, 'data_not_found'],
  ['PUT', '/data/NONE', { value: 1, version: 7 }, 'validation_failed'],
  ['PATCH', `/posts/${missing}`, {}, 'validation_failed'],
  ['PATCH', `/posts/${missing}`, { html: 'x' }, 'post_not_found'],
  ['POST', `/posts/${missing}/comments`, { body: ' ' }, 'validation_failed'],
  ['POST', `/posts/${missing}/comments`, { body: 'x' }, 'post_not_found'],
  ['PATCH', `/comments/${missing}`, { body: '' }, 'validation_failed'],
  ['PATCH', `/comments/${missing}`, { body: 'x' }, 'comment_not_found'],
] as const)('%s %s with %j returns %s', async (method, path, body, code) => {
  const isOfUser = /^.(posts|comments)/.test(path)
  const api = isOfUser ? await person.apiWith('posts', 'comments') : await space.apiWith(...SPACE_SCOPES)
  const response = await api.send(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.body.code).toBe(code)
})

describe('calls', () => {
  it('are counted per token, whether they succeed or fail', async () => {
    const api = await person.apiWith('comments')
    expect((await api.get('/me')).headers.get('ratelimit-remaining')).toBe(String(CALLS - 1))
    expect((await api.get('/posts')).status).toBe(403)
    expect((await api.get(`/posts/${missing}/comments`)).status).toBe(404)
    expect((await api.get('/nowhere')).status).toBe(404)
    expect((await api.put('/posts')).status).toBe(405)
    expect((await api.get('/me')).headers.get('ratelimit-remaining')).toBe(String(CALLS - 4))
  })

  it('above the limit get 429 with the seconds to wait', async () => {
    const { status, headers, body } = await service.rest(usedUp.token).get('/posts')
    expect(status).toBe(429)
    expect(body.code).toBe('rate_limited')
    expect(headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/)
    expect(body.detail).toContain(headers.get('retry-after'))
    expect(headers.get('ratelimit-remaining')).toBe('0')
  })

  it('have the limit that GET /me reports', async () => {
    const api = await person.apiWith('likes')
    expect((await api.get('/me')).body.rate_limit).toEqual({ requests_per_minute: CALLS })
  })
})
