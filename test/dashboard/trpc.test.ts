import { describe, expect, test } from 'vitest'
import { uniqueName, useTestService } from '../support/test-service.ts'

const service = useTestService()
const password = 'correct horse battery'

/** Calls a procedure as a browser does, and returns the response and the cookie that it sets. */
const call = async (procedure: string, input: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${service.root}/trpc/${procedure}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof input === 'string' ? input : JSON.stringify(input),
  })
  const body = (await response.json()) as {
    result?: { data: unknown }
    error?: { message: string; data: { problem: { code: string; detail?: string }; stack?: string } }
  }
  return { status: response.status, cookie: response.headers.get('set-cookie'), body }
}

describe('a session', () => {
  test('is in an HttpOnly cookie, which is set at sign-up and deleted at sign-out', async () => {
    const handle = uniqueName('trpc')
    const { cookie } = await call('accounts.signUp', { handle, password })
    expect(cookie).toMatch(/^session=[\w-]{43}; /)
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Lax/)

    const session = { cookie: cookie!.split(';')[0]! }
    const me = await fetch(`${service.root}/trpc/accounts.me`, { headers: session })
    expect(await me.json()).toMatchObject({ result: { data: { handle } } })

    const out = await call('sessions.delete', {}, session)
    expect(out.cookie).toMatch(/Max-Age=0/)
    const after = await fetch(`${service.root}/trpc/accounts.me`, { headers: session })
    expect(after.status).toBe(401)
  })

  test.each([
    ['another origin', { origin: 'http://evil.example' }],
    ['a hosted site', { origin: 'http://garden.sites.localhost' }],
    ['a browser that reports cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a browser that reports same-site', { 'sec-fetch-site': 'same-site' }],
  ])('is not created by a request from %s', async (_, headers) => {
    const { status, body } = await call('accounts.signUp', { handle: uniqueName('trpc'), password }, headers)
    expect(status).toBe(403)
    expect(body.error?.data.problem.code).toBe('cross_site_request')
  })

  test('is required even if the request has an API key', async () => {
    const { key, subdomain } = await service.createSpace()
    const input = encodeURIComponent(JSON.stringify({ subdomain }))
    const answer = await fetch(`${service.root}/trpc/pages.list?input=${input}`, {
      headers: { authorization: `Bearer ${await key('pages')}` },
    })
    expect(answer.status).toBe(401)
  })
})

describe('an error', () => {
  test.each([
    ['an unknown procedure', 'nothing.here', {}, 404, 'not_found'],
    ['a body that is not JSON', 'sessions.create', '{', 400, 'invalid_json'],
    ['an invalid body', 'sessions.create', { handle: 1 }, 422, 'validation_failed'],
    ['an unknown field', 'sessions.create', { handle: 'abc', password: 'x', z: 1 }, 422, 'validation_failed'],
  ])('includes the problem that the API would return for %s', async (_, procedure, input, status, code) => {
    const answer = await call(procedure, input)
    expect(answer.body.error?.data.problem.code).toBe(code)
    expect(answer.body.error?.data.stack).toBeUndefined()
    expect(answer.status).toBe(status)
  })
})
