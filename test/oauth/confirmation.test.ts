import { beforeEach, describe, expect, test } from 'vitest'
import { sessionActor } from '../../routers/api/browser-session.ts'
import type { Person } from '../support/test-service.ts'
import {
  authorizationQuery,
  pkce,
  register,
  signedInBrowser,
  type TestBrowser,
  useTestServiceWithoutLimits,
} from './support/flow.ts'

const service = useTestServiceWithoutLimits()
const { challenge } = pkce()
const sql = () => service.core.database

let person: Person
let browser: TestBrowser
let query: string

beforeEach(async () => {
  ;({ person, browser } = await signedInBrowser(service))
  query = authorizationQuery(service, await register(service), challenge)
})

const accountId = async () =>
  (
    await sql()
      .selectFrom('accounts')
      .where('handle', '=', person.handle)
      .select('id')
      .executeTakeFirstOrThrow()
  ).id

/** Makes the last confirmation of the person's sessions older than ten minutes. */
const age = async () =>
  sql()
    .updateTable('sessions')
    .set({ confirmed_at: new Date(Date.now() - 10 * 60 * 1000 - 1) })
    .where('account_id', '=', await accountId())
    .execute()

const countCodes = async () =>
  (
    await sql()
      .selectFrom('oauth_codes')
      .where('account_id', '=', await accountId())
      .selectAll()
      .execute()
  ).length

const isSignedIn = async (cookie: string) =>
  (await sessionActor(sql(), cookie.slice(cookie.indexOf('=') + 1))) !== null

describe('more than ten minutes after signing in', () => {
  test('a person must enter the password again before the consent page; this starts a new session', async () => {
    await age()
    const page = await browser.authorize(query)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Confirm it’s you to connect <bdi>Test client</bdi>')
    expect(page.field('handle')).toBe(person.handle)
    expect(page.field('proof')).toBe('')
    const before = browser.cookie
    const consent = await browser.signIn(page.field('handle'), page.field('request'))
    expect([await isSignedIn(before), await isSignedIn(browser.cookie)]).toEqual([false, true])
    const { location } = await browser.decide(consent, 'allow')
    expect(location!.searchParams.get('code')).not.toBeNull()
  })

  test('a wrong password shows the password page again', async () => {
    await age()
    const { status, text } = await browser.send('/oauth/sign-in', {
      request: query,
      handle: person.handle,
      password: 'wrong horse battery',
    })
    expect(status).toBe(401)
    expect(text).toContain('This is not your password.')
    expect(text).toContain('Confirm it’s you')
  })

  test('a consent page that is already open asks for the password instead of approving', async () => {
    const page = await browser.authorize(query)
    await age()
    const answer = await browser.decide(page, 'allow')
    expect({ status: answer.status, location: answer.location }).toEqual({ status: 200, location: null })
    expect(answer.text).toContain('Confirm it’s you')
    expect(await countCodes()).toBe(0)
  })

  test('a person can deny the request without a password', async () => {
    const page = await browser.authorize(query)
    await age()
    const { location } = await browser.decide(page, 'deny')
    expect(location!.searchParams.get('error')).toBe('access_denied')
  })

  test('a person without a password is asked to sign in another way, and cannot set a password before', async () => {
    await age()
    await sql()
      .updateTable('accounts')
      .set({ password_hash: null })
      .where('id', '=', await accountId())
      .execute()
    const page = await browser.authorize(query)
    expect(page.text).not.toContain('name="password"')
    expect(page.text).toContain(
      `/admin/sign-in?authorize=${encodeURIComponent(query).replaceAll('&', '&amp;')}&amp;again=true`,
    )
    const { status } = await fetch(`${service.root}/trpc/accounts.setPassword`, {
      method: 'POST',
      headers: { cookie: browser.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ password: 'a new horse battery' }),
    })
    expect(status).toBe(403)
    expect((await browser.authorize(query)).text).not.toContain(`act as @${person.handle}?`)
  })
})
