import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { request } from './support/http.ts'

const service = useTestService({ callsPerMinute: 50 })
let space: TestSpace
let usedUp: string
let withoutScope: string

beforeAll(async () => {
  // Stop the clock, so that the one-minute window of the rate limit does not end during the tests.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  space = await service.createSpace()
  usedUp = await space.key('data')
  withoutScope = await space.key('data')
  for (let call = 0; call < 50; call++) await service.rest(usedUp).get(`/spaces/${space.subdomain}`)
  await space.api.post('/pages', { slug: 'taken', html: 'x' })
})
afterAll(() => {
  vi.useRealTimers()
})

interface Sent {
  method: string
  path: string
  authorization: string
  type: string
  body: string
}

/** An error code, and a function that changes a valid request so that it causes this error. */
type Fault = [code: string, spoil: (sent: Sent) => Partial<Sent>]

const withField = (body: string, field: string, value: unknown) =>
  JSON.stringify({ ...(JSON.parse(body) as object), [field]: value })

/** Errors in the order in which they are checked. */
const faults: Fault[] = [
  ['not_found', ({ path }) => ({ path: `${path}/` })],
  ['method_not_allowed', () => ({ method: 'PUT' })],
  ['unauthorized', () => ({ authorization: 'Bearer nobody' })],
  ['rate_limited', () => ({ authorization: `Bearer ${usedUp}` })],
  ['space_mismatch', ({ path }) => ({ path: path.replace(space.subdomain, 'elsewhere') })],
  ['insufficient_scope', () => ({ authorization: `Bearer ${withoutScope}` })],
  ['unsupported_media_type', () => ({ type: 'text/plain' })],
  ['payload_too_large', ({ body }) => ({ body: body + ' '.repeat(1_048_577) })],
  ['invalid_json', ({ body }) => ({ body: body.replace('{', '{{') })],
  ['validation_failed', ({ body }) => ({ body: withField(body, 'nope', 1) })],
  ['slug_taken', ({ body }) => ({ body: withField(body, 'slug', 'taken') })],
]

const pairs = faults.flatMap(([first], index) =>
  faults.slice(index + 1).map(([second]) => ({ first, second })),
)

describe('a request with two errors gets the error whose check comes first', () => {
  it.each(pairs)('$first before $second', async ({ first, second }) => {
    const sent: Sent = {
      method: 'POST',
      path: `/v1/spaces/${space.subdomain}/pages`,
      authorization: `Bearer ${await space.key('pages')}`,
      type: 'application/json',
      body: JSON.stringify({ slug: 'free', html: 'x' }),
    }
    // Apply the later fault first. For example, the fault for `validation_failed` parses the body, and the fault for
    // `invalid_json` makes the body impossible to parse.
    for (const [code, spoil] of faults.toReversed())
      if (code === first || code === second) Object.assign(sent, spoil(sent))
    const response = await request(service.root, sent.method, sent.path, {
      headers: { Authorization: sent.authorization, 'Content-Type': sent.type },
      body: sent.body,
    })
    expect(response.body.code).toBe(first)
  })

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
  ] as const)('%s %s with %j returns %s', async (method, path, body, code) => {
    const api = await space.apiWith(...SPACE_SCOPES)
    const response = await api.send(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.body.code).toBe(code)
  })
})
