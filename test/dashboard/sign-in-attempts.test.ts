import { describe, expect, test } from 'vitest'
import { createResetLink } from '../../routers/accounts/links/create.ts'
import { rateLimiter } from '../../routers/api/rate-limit.ts'
import { uniqueName, useTestService } from '../support/test-service.ts'
import { type DashboardClient, dashboardClient, errorCodeOf, tokenOf } from './support/dashboard-client.ts'

const service = useTestService({ trustedProxies: ['loopback'] })
const password = 'correct horse battery'

const HOME = '192.0.2.1'
const ELSEWHERE = '198.51.100.7'
const from = (address: string) => dashboardClient(service, 'curl/8', undefined, address)

const tried = ({ api }: DashboardClient, handle: string, tried = password) =>
  errorCodeOf(api.sessions.create.mutate({ handle, password: tried }))

/** Signs up and returns the account with its browser. */
const signUp = async (address = HOME) => {
  const handle = uniqueName('tried')
  const browser = from(address)
  const { recovery_codes } = await browser.api.accounts.signUp.mutate({ handle, password })
  return { handle, browser, codes: recovery_codes }
}

/** Uses up the sign-in attempts that a network has for an account. @param left how many it has left */
const exhaust = async (handle: string, address: string, left = 10) => {
  const attacker = from(address)
  for (let i = 0; i < left; i++) expect(await tried(attacker, handle, 'wrong')).toBe('sign_in_failed')
  expect(await tried(attacker, handle)).toBe('rate_limited')
}

describe('ten wrong passwords', () => {
  test('do not lock the account in other networks', async () => {
    const { handle } = await signUp()
    await exhaust(handle, ELSEWHERE)
    expect(await tried(from('203.0.113.9'), handle)).toBeUndefined()
  })

  test('are counted for a whole IPv6 /64, and for the handle in any letter case', async () => {
    const { handle } = await signUp()
    for (let i = 0; i < 10; i++)
      await tried(from(`2001:db8:1:1::${i}`), i % 2 ? handle : handle.toUpperCase(), 'wrong')
    expect(await tried(from('2001:db8:1:1:ffff::1'), handle)).toBe('rate_limited')
    expect(await tried(from('2001:db8:1:2::1'), handle)).toBeUndefined()
  })

  test('do not lock out a browser that has signed in before, even in the same network', async () => {
    const { handle, browser } = await signUp()
    await browser.api.sessions.delete.mutate()
    await exhaust(handle, HOME)
    expect(await tried(browser, handle)).toBeUndefined()
  })

  test('lock out even a browser that has signed in before, if it sent the passwords', async () => {
    const { handle, browser } = await signUp()
    for (let i = 0; i < 10; i++) expect(await tried(browser, handle, 'wrong')).toBe('sign_in_failed')
    expect(await tried(browser, handle)).toBe('rate_limited')
  })

  test('do not use up the attempts to enter a recovery code', async () => {
    const { handle, codes } = await signUp()
    await exhaust(handle, ELSEWHERE)
    const code = codes[0]!
    expect(
      await errorCodeOf(from(ELSEWHERE).api.sessions.createFromCode.mutate({ handle, code })),
    ).toBeUndefined()
  })

  test('block further attempts even if the handle does not exist', async () => {
    const address = '203.0.113.50'
    await exhaust('nobody.here', address)
    expect(await tried(from(address), 'nobody.here')).toBe('rate_limited')
  })
})

describe('a known browser', () => {
  test('counts as known only for the accounts that have signed in with it', async () => {
    const { browser } = await signUp()
    const { handle } = await signUp()
    await browser.api.sessions.delete.mutate()
    await exhaust(handle, HOME)
    expect(await tried(browser, handle)).toBe('rate_limited')
  })

  test('is forgotten when the password is changed in another browser', async () => {
    const { handle, browser } = await signUp('192.0.2.77')
    const other = from(ELSEWHERE)
    await tried(other, handle)
    const changed = 'another horse battery'
    await other.api.accounts.setPassword.mutate({ current_password: password, password: changed })
    await exhaust(handle, '192.0.2.77')
    expect(await tried(browser, handle, changed)).toBe('rate_limited')
    // The browser in which it was changed is still known.
    await other.api.sessions.delete.mutate()
    await exhaust(handle, ELSEWHERE, 9)
    expect(await tried(other, handle, changed)).toBeUndefined()
  })

  test('is forgotten when the password is reset with a link in another browser', async () => {
    const { handle, browser } = await signUp('192.0.2.78')
    const sql = service.core.database
    const { id } = await sql
      .selectFrom('accounts')
      .where('handle', '=', handle)
      .select('id')
      .executeTakeFirstOrThrow()
    const token = tokenOf(await createResetLink(sql, service.core.addresses, id))
    const changed = 'another horse battery'
    await from(ELSEWHERE).api.accounts.resetPassword.mutate({ token, password: changed })
    await exhaust(handle, '192.0.2.78')
    expect(await tried(browser, handle, changed)).toBe('rate_limited')
  })
})

describe('the browsers of an account', () => {
  const rows = async (handle: string) => {
    const sql = service.core.database
    const { id } = await sql
      .selectFrom('accounts')
      .where('handle', '=', handle)
      .select('id')
      .executeTakeFirstOrThrow()
    return { sql, id }
  }
  const HOUR = 60 * 60_000
  const YEAR = 365 * 24 * HOUR

  test.each([
    ['are known', YEAR - HOUR, undefined],
    ['are no longer known', YEAR + HOUR, 'rate_limited'],
  ])('%s if they signed in %d ms ago', async (_, ago, outcome) => {
    const { handle, browser } = await signUp('192.0.2.79')
    const { sql, id } = await rows(handle)
    await sql
      .updateTable('known_browsers')
      .set({ signed_in_at: new Date(Date.now() - ago) })
      .where('account_id', '=', id)
      .execute()
    await exhaust(handle, '192.0.2.79')
    expect(await tried(browser, handle)).toBe(outcome)
  })

  test('are the fifty that signed in last', async () => {
    const { handle } = await signUp('192.0.2.80')
    const { sql, id } = await rows(handle)
    const day = 24 * 60 * 60_000
    await sql
      .insertInto('known_browsers')
      .values(
        Array.from({ length: 49 }, (_, n) => ({
          account_id: id,
          browser_hash: Buffer.alloc(32, n),
          signed_in_at: new Date(Date.now() - (n + 1) * day),
        })),
      )
      .execute()
    const latest = from('192.0.2.81')
    await tried(latest, handle)
    const kept = await sql
      .selectFrom('known_browsers')
      .where('account_id', '=', id)
      .select('signed_in_at')
      .execute()
    const days = kept.map(({ signed_in_at }) => Math.round((Date.now() - signed_in_at.getTime()) / day))
    expect(days.toSorted((a, b) => a - b)).toEqual([0, ...Array.from({ length: 49 }, (_, n) => n)])
  })
})

test('after many sign-in attempts from different networks, further ones take longer but are not rejected', async () => {
  const { handle } = await signUp()
  const { attempts } = service.core
  const usual = attempts.byHandle
  const timed = async () => {
    const start = performance.now()
    expect(await tried(from(ELSEWHERE), handle)).toBeUndefined()
    return performance.now() - start
  }
  // Use the fastest of three attempts, because a busy machine can delay some of them.
  expect(Math.min(await timed(), await timed(), await timed())).toBeLessThan(1_900)
  attempts.byHandle = rateLimiter('test-handle', 1, 60, null)
  try {
    await timed()
    expect(await timed()).toBeGreaterThanOrEqual(1_900)
  } finally {
    attempts.byHandle = usual
  }
})
