import { describe, expect, test } from 'vitest'
import { createSignInLink } from '../../routers/accounts/links/create.ts'
import { creationLimits } from '../../routers/api/rules.ts'
import { hashSecret } from '../../routers/api/secret.ts'
import { type TestService, uniqueName, useTestService } from '../support/test-service.ts'
import {
  type DashboardClient,
  dashboardClient,
  errorCodeOf,
  problemOf,
  tokenOf,
} from './support/dashboard-client.ts'

const service = useTestService()
const password = 'correct horse battery'
const sql = () => service.core.database

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:126.0) Gecko/20100101 Firefox/126.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1'

/** Signs up from one browser. */
const signUp = async (userAgent?: string) => {
  const handle = uniqueName('session')
  const browser = dashboardClient(service, userAgent)
  await browser.api.accounts.signUp.mutate({ handle, password })
  /** Signs in from another browser. */
  const another = async (userAgent?: string, cookie?: string) => {
    const other = dashboardClient(service, userAgent, cookie)
    await other.api.sessions.create.mutate({ handle, password })
    return other
  }
  return { handle, browser, another }
}

const isSignedIn = async ({ api }: DashboardClient) =>
  (await errorCodeOf(api.accounts.me.query())) === undefined

/** Returns the token hash that identifies the browser's session in the database. */
const rowOf = ({ cookie }: DashboardClient) => hashSecret(cookie()!.split('=')[1]!)

/** Backdates all existing sessions by a minute, so that the next one is always newer. */
const age = (service: TestService) =>
  service.core.database.orm.em
    .fork()
    .execute(
      `update sessions set created_at = created_at - interval '1 minute', last_seen_at = last_seen_at - interval '1 minute'`,
    )

describe('signing in', () => {
  test('sets a new cookie and ends the previous session of the browser', async () => {
    const { browser, another } = await signUp()
    const before = browser.cookie()
    const after = await another('curl/8', before)
    expect(after.cookie()).not.toBe(before)
    expect(await isSignedIn(browser)).toBe(false)
    expect(await after.api.sessions.list.query()).toHaveLength(1)
  })

  test('ends the session of another account in the same browser', async () => {
    const first = await signUp()
    const second = await signUp()
    await second.another('curl/8', first.browser.cookie())
    expect(await isSignedIn(first.browser)).toBe(false)
    expect(await isSignedIn(second.browser)).toBe(true)
  })

  test('works once with each one-time link, even for two concurrent callers', async () => {
    const { handle } = await signUp()
    const { id } = await sql()
      .selectFrom('accounts')
      .where('handle', '=', handle)
      .select('id')
      .executeTakeFirstOrThrow()
    const token = tokenOf(await createSignInLink(sql(), service.core.addresses, id))
    expect(await dashboardClient(service).api.links.look.mutate({ token })).toEqual({
      purpose: 'sign_in',
      handle,
    })
    const outcomes = await Promise.all(
      [dashboardClient(service), dashboardClient(service)].map(({ api }) =>
        errorCodeOf(api.sessions.createFromLink.mutate({ token })),
      ),
    )
    expect(new Set(outcomes)).toEqual(new Set([undefined, 'sign_in_failed']))
  })

  test('returns the seconds to wait after too many attempts', async () => {
    const { handle } = await signUp()
    const { api } = dashboardClient(service)
    for (let i = 0; i < 10; i++) await errorCodeOf(api.sessions.create.mutate({ handle, password: 'x' }))
    const refused = await problemOf(api.sessions.create.mutate({ handle, password }))
    expect(refused).toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number) })
  })
})

describe('the list of sessions', () => {
  test('names the browsers and marks the current one', async () => {
    const { browser, another } = await signUp(FIREFOX)
    await age(service)
    await another(SAFARI)
    const list = await browser.api.sessions.list.query()
    expect(list.map(({ client, is_current }) => [client, is_current])).toEqual([
      ['Safari on iPhone', false],
      ['Firefox on Windows', true],
    ])
  })

  test('shows the most recently used session first, even if another one is newer', async () => {
    const { browser, another } = await signUp(FIREFOX)
    const newer = await another(SAFARI)
    await sql()
      .updateTable('sessions')
      .set({ last_seen_at: new Date(Date.now() - 5 * 60_000) })
      .where('token_hash', '=', rowOf(newer))
      .execute()
    const list = await browser.api.sessions.list.query()
    expect(list.map(({ client }) => client)).toEqual(['Firefox on Windows', 'Safari on iPhone'])
  })

  test.each([
    ['curl/8', null],
    ['', null],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/125.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
      'Safari on macOS',
    ],
    ['Mozilla/5.0 (Android 14; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0', 'Firefox on Android'],
  ])('describes %j as %j', async (userAgent, description) => {
    const { browser } = await signUp(userAgent)
    expect((await browser.api.sessions.list.query())[0]?.client).toBe(description)
  })

  test('stores at most 300 characters of the user agent', async () => {
    const { browser } = await signUp(`${FIREFOX} ${'x'.repeat(1000)}`)
    const row = await sql()
      .selectFrom('sessions')
      .where('token_hash', '=', rowOf(browser))
      .select('user_agent')
      .executeTakeFirstOrThrow()
    expect(row.user_agent).toHaveLength(300)
    expect((await browser.api.sessions.list.query())[0]?.client).toBe('Firefox on Windows')
  })

  test('shows when a session was last used, to within ten minutes', async () => {
    const { browser } = await signUp()
    const shownAfter = async (minutes: number) => {
      const last_seen_at = new Date(Date.now() - minutes * 60_000)
      await sql()
        .updateTable('sessions')
        .set({ last_seen_at })
        .where('token_hash', '=', rowOf(browser))
        .execute()
      const [session] = await browser.api.sessions.list.query()
      return session!.last_seen_at === last_seen_at.toISOString() ? 'unchanged' : 'now'
    }
    expect([await shownAfter(9), await shownAfter(11)]).toEqual(['unchanged', 'now'])
  })

  test('leaves out idle and expired sessions', async () => {
    const { browser, another } = await signUp()
    const [idle, old] = [await another(), await another()]
    const dayMs = 24 * 60 * 60 * 1000
    const move = (who: DashboardClient, change: { last_seen_at: Date } | { expires_at: Date }) =>
      sql().updateTable('sessions').set(change).where('token_hash', '=', rowOf(who)).execute()
    await move(idle, { last_seen_at: new Date(Date.now() - 7 * dayMs - 1000) })
    await move(old, { expires_at: new Date(Date.now() - 1) })
    expect(await isSignedIn(idle)).toBe(false)
    expect(await isSignedIn(old)).toBe(false)
    expect(await browser.api.sessions.list.query()).toHaveLength(1)
  })

  test('contains no secret', async () => {
    const { browser } = await signUp()
    const secret = browser.cookie()!.split('=')[1]!
    const list = JSON.stringify(await browser.api.sessions.list.query())
    expect(list).not.toContain(secret)
    expect(list).not.toContain(hashSecret(secret).toString('hex'))
  })
})

const smallest = useTestService({ creationLimits: { ...creationLimits, sessions: 2 } })

describe('at the session limit', () => {
  const small = useTestService({ creationLimits: { ...creationLimits, sessions: 3 } })

  test('a new session ends the least recently used one', async () => {
    const handle = uniqueName('many')
    const oldest = dashboardClient(small)
    await oldest.api.accounts.signUp.mutate({ handle, password })
    await age(small)
    const later = []
    for (let i = 0; i < 3; i++) {
      const browser = dashboardClient(small)
      await browser.api.sessions.create.mutate({ handle, password })
      later.push(browser)
    }
    expect(await isSignedIn(oldest)).toBe(false)
    expect(await Promise.all(later.map(isSignedIn))).toEqual([true, true, true])
    expect(await later[0]!.api.sessions.list.query()).toHaveLength(3)
  })
})

test('at the session limit, a session that began first but was used last is kept', async () => {
  const handle = uniqueName('many')
  const first = dashboardClient(smallest)
  await first.api.accounts.signUp.mutate({ handle, password })
  const second = dashboardClient(smallest)
  await second.api.sessions.create.mutate({ handle, password })
  await smallest.core.database
    .updateTable('sessions')
    .set({ last_seen_at: new Date(Date.now() - 60_000) })
    .where('token_hash', '=', rowOf(second))
    .execute()
  await dashboardClient(smallest).api.sessions.create.mutate({ handle, password })
  expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([true, false])
})

describe('ending a session', () => {
  test('signs the browser of that session out immediately', async () => {
    const { browser, another } = await signUp()
    const other = await another()
    const list = await browser.api.sessions.list.query()
    const session_id = list.find(({ is_current }) => !is_current)!.id
    await browser.api.sessions.end.mutate({ session_id })
    expect(await isSignedIn(other)).toBe(false)
    expect(await isSignedIn(browser)).toBe(true)
    expect(await errorCodeOf(browser.api.sessions.end.mutate({ session_id }))).toBe('session_not_found')
  })

  test('deletes the cookie when the session is the current one', async () => {
    const { browser } = await signUp()
    const { id } = (await browser.api.sessions.list.query())[0]!
    await browser.api.sessions.end.mutate({ session_id: id })
    expect(browser.cookie()).toBeUndefined()
  })

  test('is refused for a session of another account', async () => {
    const mine = await signUp()
    const theirs = await signUp()
    const { id } = (await theirs.browser.api.sessions.list.query())[0]!
    expect(await errorCodeOf(mine.browser.api.sessions.end.mutate({ session_id: id }))).toBe(
      'session_not_found',
    )
    expect(await isSignedIn(theirs.browser)).toBe(true)
  })

  test('has a variant that ends all sessions except the current one', async () => {
    const { browser, another } = await signUp()
    const others = [await another(), await another()]
    await browser.api.sessions.endOthers.mutate()
    for (const other of others) expect(await isSignedIn(other)).toBe(false)
    expect(await isSignedIn(browser)).toBe(true)
  })
})

describe('changing the password', () => {
  test('ends every other session', async () => {
    const { browser, another } = await signUp()
    const other = await another()
    await browser.api.accounts.setPassword.mutate({ current_password: password, password: 'another horse' })
    expect(await isSignedIn(other)).toBe(false)
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('is rate limited after ten attempts, counted separately from attempts to sign in', async () => {
    const { browser, another } = await signUp()
    const attempt = (current_password: string) =>
      errorCodeOf(browser.api.accounts.setPassword.mutate({ current_password, password: 'another horse' }))
    for (let i = 0; i < 10; i++) expect(await attempt('wrong')).toBe('validation_failed')
    expect(await attempt(password)).toBe('rate_limited')
    expect(await isSignedIn(await another())).toBe(true)
  })
})

describe('more than ten minutes after signing in', () => {
  /** Sets the time of a browser's last confirmation to more than ten minutes ago. */
  const expireConfirmation = (browser: DashboardClient) =>
    sql()
      .updateTable('sessions')
      .set({ confirmed_at: new Date(Date.now() - 10 * 60 * 1000 - 1) })
      .where('token_hash', '=', rowOf(browser))
      .execute()

  /** Signs up and makes the last confirmation older than ten minutes. */
  const withOldConfirmation = async () => {
    const { browser } = await signUp()
    await expireConfirmation(browser)
    return browser.api
  }

  test('changing sign-in methods requires a confirmation', async () => {
    const api = await withOldConfirmation()
    const calls = [
      api.recovery.renew.mutate(),
      api.passkeys.startRegistration.mutate(),
      api.passkeys.delete.mutate({ passkey_id: 'a'.repeat(16) }),
    ]
    expect(await Promise.all(calls.map(errorCodeOf))).toEqual(Array(3).fill('confirmation_required'))
  })

  test('deleting a space or account, and issuing or rotating a credential, require a confirmation', async () => {
    const { handle, browser } = await signUp()
    const { api } = browser
    const subdomain = uniqueName('late')
    await api.spaces.create.mutate({ subdomain, name: 'Late' })
    const key = { subdomain, label: 'k', scopes: ['pages' as const] }
    const token = { label: 't', scopes: ['posts' as const] }
    const { id: key_id } = await api.keys.issue.mutate(key)
    const { id: token_id } = await api.tokens.issue.mutate(token)
    const brief = await api.tokens.issue.mutate({ ...token, expires_in_days: 30 })
    await expireConfirmation(browser)
    const calls = [
      api.keys.issue.mutate(key),
      api.keys.issue.mutate({ ...key, expires_in_days: 365 }),
      api.invites.create.mutate({ subdomain }),
      api.keys.rotate.mutate({ subdomain, key_id, overlap_seconds: 0 }),
      api.tokens.issue.mutate(token),
      api.tokens.issue.mutate({ ...token, expires_in_days: 30 }),
      api.tokens.rotate.mutate({ token_id, overlap_seconds: 3600 }),
      api.tokens.rotate.mutate({ token_id: brief.id, overlap_seconds: 0 }),
      api.spaces.delete.mutate({ subdomain, confirm: subdomain }),
      api.accounts.delete.mutate({ confirm: handle }),
    ]
    expect(await Promise.all(calls.map(errorCodeOf))).toEqual(Array(10).fill('confirmation_required'))
    expect(await api.keys.list.query({ subdomain })).toMatchObject([{ id: key_id, replaced_at: null }])
    expect(await api.tokens.list.query()).toHaveLength(2)

    expect(await api.invites.list.query({ subdomain })).toEqual([])
    await api.sessions.confirm.mutate({ password })
    await api.invites.create.mutate({ subdomain })
    await api.keys.issue.mutate({ ...key, expires_in_days: 30 })
    await api.tokens.rotate.mutate({ token_id: brief.id, overlap_seconds: 0 })
    await api.tokens.rotate.mutate({ token_id, overlap_seconds: 0 })
    await api.spaces.delete.mutate({ subdomain, confirm: subdomain })
    await api.accounts.delete.mutate({ confirm: handle })
  })

  test('an account without a password sets its first one only after a confirmation', async () => {
    const { handle, browser } = await signUp()
    const { api } = browser
    const { recovery_codes } = await api.recovery.renew.mutate()
    await expireConfirmation(browser)
    await sql().updateTable('accounts').set({ password_hash: null }).where('handle', '=', handle).execute()
    const setPassword = () => api.accounts.setPassword.mutate({ password: 'another one, longer' })
    expect(await errorCodeOf(setPassword())).toBe('confirmation_required')
    expect((await api.accounts.me.query()).has_password).toBe(false)
    await api.sessions.confirmWithCode.mutate({ code: recovery_codes[0]! })
    expect(await errorCodeOf(setPassword())).toBeUndefined()
  })

  test('entering the password counts as a confirmation', async () => {
    const api = await withOldConfirmation()
    await api.sessions.confirm.mutate({ password })
    expect((await api.recovery.renew.mutate()).recovery_codes).toHaveLength(10)
  })

  test('a recovery code confirms once, but a password change still requires the current password', async () => {
    const { browser } = await signUp()
    const { api } = browser
    const { recovery_codes } = await api.recovery.renew.mutate()
    await expireConfirmation(browser)
    const confirm = () => api.sessions.confirmWithCode.mutate({ code: recovery_codes[0]! })
    expect(await confirm()).toEqual({ codes_left: 9 })
    expect(await problemOf(confirm())).toMatchObject({ code: 'validation_failed', fields: ['code'] })
    const setPassword = api.accounts.setPassword.mutate({ password: 'another one, longer' })
    expect(await problemOf(setPassword)).toMatchObject({ fields: ['current_password'] })
    expect(await errorCodeOf(api.recovery.renew.mutate())).toBeUndefined()
  })

  test('a wrong password is rejected, and after ten wrong attempts the correct password is rejected too', async () => {
    const api = await withOldConfirmation()
    const attempt = (tried: string) => problemOf(api.sessions.confirm.mutate({ password: tried }))
    for (let i = 0; i < 10; i++) expect(await attempt('wrong')).toMatchObject({ fields: ['password'] })
    expect(await attempt(password)).toMatchObject({ code: 'rate_limited' })
    expect(await errorCodeOf(api.recovery.renew.mutate())).toBe('confirmation_required')
  })
})
