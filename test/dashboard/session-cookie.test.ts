import { parseSetCookie } from 'cookie'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SESSION_LIFETIME } from '../../routers/api/browser-session.ts'
import { readSettings } from '../../server/settings/settings.ts'
import { startTestService, type TestService, uniqueName } from '../support/test-service.ts'

const password = 'correct horse battery'

/** Calls a procedure as a browser would, with a cookie. */
const call = (service: TestService, procedure: string, cookie: string, input?: object) =>
  fetch(`${service.root}/trpc/${procedure}`, {
    headers: { cookie, 'content-type': 'application/json' },
    ...(input ? { method: 'POST', body: JSON.stringify(input) } : {}),
  })

describe.each([
  { address: 'https://localhost', name: '__Host-session', otherName: 'session', secure: true },
  { address: 'http://localhost', name: 'session', otherName: '__Host-session', secure: undefined },
])('the session cookie at $address', ({ address, name, otherName, secure }) => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ apiRoot: readSettings({ API_ROOT: address }).apiRoot })
  })
  afterAll(() => service.stop())

  /** Signs up and returns the cookie that the response sets. */
  const signUp = async () => {
    const response = await call(service, 'accounts.signUp', '', { handle: uniqueName('cookie'), password })
    return parseSetCookie(response.headers.getSetCookie()[0]!)
  }

  test('is set for this host only and hidden from scripts', async () => {
    expect(await signUp()).toEqual({
      name,
      value: expect.stringMatching(/^\S{20,}$/),
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      maxAge: SESSION_LIFETIME / 1000,
      ...(secure ? { secure } : {}),
    })
  })

  test('is accepted under its exact name only', async () => {
    const { value } = await signUp()
    expect((await call(service, 'accounts.me', `${name}=${value}`)).status).toBe(200)
    expect((await call(service, 'accounts.me', `${otherName}=${value}`)).status).toBe(401)
  })

  test('is set and deleted with the same attributes', async () => {
    const { value } = await signUp()
    const response = await call(service, 'sessions.delete', `${name}=${value}`, {})
    expect(parseSetCookie(response.headers.getSetCookie()[0]!)).toEqual({
      name,
      value: '',
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      maxAge: 0,
      ...(secure ? { secure } : {}),
    })
  })
})
