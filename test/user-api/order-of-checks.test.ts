import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { request } from '../space-api/support/http.ts'
import { type Person, useTestService } from '../support/test-service.ts'

const CALLS = 40
const service = useTestService({ callsPerMinute: CALLS })
let person: Person
let usedUp: string

beforeAll(async () => {
  // Stop the clock, so that the one-minute window of the rate limit does not end during the tests.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  person = await service.signUp()
  await service.signUp('Taken')
  usedUp = await person.token('posts')
  for (let call = 0; call < CALLS; call++) await service.rest(usedUp).get('/me')
})
afterAll(() => {
  vi.useRealTimers()
})

const missing = 'a'.repeat(16)

interface Sent {
  method: string
  path: string
  token: string
  type: string
  body: string
}

const withField = (body: string, field: string, value: unknown) =>
  JSON.stringify({ ...(JSON.parse(body) as object), [field]: value })

/**
 * Error codes in the order of their checks, each with a function that changes a valid request so that it causes the
 * error.
 */
const faults: [code: string, spoil: (sent: Sent) => Partial<Sent> | Promise<Partial<Sent>>][] = [
  ['not_found', ({ path }) => ({ path: `${path}/` })],
  ['method_not_allowed', () => ({ method: 'PUT' })],
  ['unauthorized', () => ({ token: 'nobody' })],
  ['rate_limited', () => ({ token: usedUp })],
  ['insufficient_scope', async () => ({ token: await person.token('posts') })],
  ['unsupported_media_type', () => ({ type: 'text/plain' })],
  ['payload_too_large', ({ body }) => ({ body: body + ' '.repeat(1_048_577) })],
  ['invalid_json', ({ body }) => ({ body: body.replace('{', '{{') })],
  ['validation_failed', ({ body }) => ({ body: withField(body, 'nope', 1) })],
  ['handle_taken', ({ body }) => ({ body: withField(body, 'handle', 'tAKEN') })],
]

const pairs = faults.flatMap(([first], index) =>
  faults.slice(index + 1).map(([second]) => ({ first, second })),
)

describe('a request with two errors gets the error whose check comes first', () => {
  it.each(pairs)('$first before $second', async ({ first, second }) => {
    const sent: Sent = {
      method: 'PATCH',
      path: '/v1/me',
      token: await person.token('profile'),
      type: 'application/json',
      body: JSON.stringify({ bio: 'x' }),
    }
    // Add the two errors in the reverse order of their checks. For example, the function for `validation_failed` parses
    // the body, so the body must still be valid JSON at that time.
    for (const [code, spoil] of faults.toReversed())
      if (code === first || code === second) Object.assign(sent, await spoil(sent))
    const response = await request(service.root, sent.method, sent.path, {
      headers: { Authorization: `Bearer ${sent.token}`, 'Content-Type': sent.type },
      body: sent.body,
    })
    expect(response.body.code).toBe(first)
  })

  it.each([
    ['PATCH', `/posts/${missing}`, {}, 'validation_failed'],
    ['PATCH', `/posts/${missing}`, { html: 'x' }, 'post_not_found'],
    ['POST', `/posts/${missing}/comments`, { body: ' ' }, 'validation_failed'],
    ['POST', `/posts/${missing}/comments`, { body: 'x' }, 'post_not_found'],
    ['PATCH', `/comments/${missing}`, { body: '' }, 'validation_failed'],
    ['PATCH', `/comments/${missing}`, { body: 'x' }, 'comment_not_found'],
  ])('%s %s with %j returns %s', async (method, path, body, code) => {
    const api = await person.apiWith('posts', 'comments')
    const response = await api.send(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.body.code).toBe(code)
  })
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
    const { status, headers, body } = await service.rest(usedUp).get('/posts')
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
