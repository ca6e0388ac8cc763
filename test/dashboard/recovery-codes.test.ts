import { describe, expect, test } from 'vitest'
import { uniqueName, useTestService } from '../support/test-service.ts'
import { dashboardClient, errorCodeOf, problemOf } from './support/dashboard-client.ts'

const service = useTestService()
const password = 'correct horse battery'
const sql = () => service.core.database

/** Signs up and returns the recovery codes. */
const signUp = async () => {
  const handle = uniqueName('recover')
  const browser = dashboardClient(service)
  const { recovery_codes } = await browser.api.accounts.signUp.mutate({ handle, password })
  return { handle, browser, codes: recovery_codes }
}

const signIn = (handle: string, code: string) =>
  dashboardClient(service).api.sessions.createFromCode.mutate({ handle, code })

describe('recovery codes', () => {
  test('are ten unique codes of unambiguous letters and digits', async () => {
    const { codes } = await signUp()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([346789abcdefghjkmnpqrtwxy]{6}-){2}[346789a-y]{6}$/)
  })

  test('are stored only as hashes', async () => {
    const { codes } = await signUp()
    const rows = await sql().selectFrom('recovery_codes').selectAll().execute()
    const stored = rows.map(({ code_hash }) => Buffer.from(code_hash).toString('latin1')).join()
    for (const code of codes) expect(stored).not.toContain(code.replaceAll('-', ''))
    expect(rows.every(({ code_hash }) => code_hash.length === 32)).toBe(true)
  })

  test.each([
    ['as shown', (code: string) => code],
    ['in capital letters', (code: string) => code.toUpperCase()],
    ['without hyphens', (code: string) => code.replaceAll('-', '')],
    ['with spaces and other dashes', (code: string) => ` ${code.replace('-', ' – ')} `],
  ])('work for one sign-in if typed %s; the response has the number of codes left', async (_, typed) => {
    const { handle, codes } = await signUp()
    expect(await signIn(handle.toUpperCase(), typed(codes[3]!))).toEqual({ handle, codes_left: 9 })
    expect(await errorCodeOf(signIn(handle, codes[3]!))).toBe('sign_in_failed')
  })

  test('work only once, even if several callers send the same code at the same time', async () => {
    const { handle, codes } = await signUp()
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => errorCodeOf(signIn(handle, codes[0]!))),
    )
    expect(outcomes.filter(code => code === undefined)).toHaveLength(1)
    expect(outcomes.filter(code => code === 'sign_in_failed')).toHaveLength(3)
  })

  test.each(['', 'x', 'abcdef-abcdef-abcdef', '\0', '-'.repeat(100)])(
    'are rejected at sign-in if they have the form %j',
    async code => {
      const { handle } = await signUp()
      expect(await errorCodeOf(signIn(handle, code))).toBe('sign_in_failed')
    },
  )

  test('do not sign in to another account', async () => {
    const [mine, theirs] = [await signUp(), await signUp()]
    expect(await errorCodeOf(signIn(theirs.handle, mine.codes[0]!))).toBe('sign_in_failed')
    expect(await errorCodeOf(signIn('nobody.here', mine.codes[0]!))).toBe('sign_in_failed')
  })

  test('are rate limited after ten attempts on one handle', async () => {
    const { handle, codes } = await signUp()
    for (let i = 0; i < 10; i++) await errorCodeOf(signIn(handle, 'wrong'))
    expect(await problemOf(signIn(handle, codes[0]!))).toMatchObject({
      code: 'rate_limited',
      retryAfter: expect.any(Number),
    })
  })

  test('can be renewed; this invalidates the old codes', async () => {
    const { handle, codes, browser } = await signUp()
    expect(await browser.api.recovery.status.query()).toEqual({ left: 10, made_at: expect.any(String) })
    const { recovery_codes } = await browser.api.recovery.renew.mutate()
    expect(await errorCodeOf(signIn(handle, codes[0]!))).toBe('sign_in_failed')
    expect(await signIn(handle, recovery_codes[0]!)).toMatchObject({ codes_left: 9 })
    expect(await browser.api.recovery.status.query()).toMatchObject({ left: 9 })
  })

  test('are still ten after two concurrent renewals', async () => {
    const { browser } = await signUp()
    await Promise.all([browser.api.recovery.renew.mutate(), browser.api.recovery.renew.mutate()])
    expect(await browser.api.recovery.status.query()).toMatchObject({ left: 10 })
  })
})

describe('a session from a recovery code', () => {
  const recovered = async () => {
    const { handle, codes } = await signUp()
    const browser = dashboardClient(service)
    await browser.api.sessions.createFromCode.mutate({ handle, code: codes[0]! })
    const setPassword = (current_password?: string) =>
      problemOf(
        browser.api.accounts.setPassword.mutate({
          password: 'a new horse',
          ...(current_password === undefined ? {} : { current_password }),
        }),
      )
    return { handle, browser, setPassword }
  }

  test('can set a new password without the old one, but only once', async () => {
    const { handle, setPassword } = await recovered()
    expect(await setPassword()).toBeUndefined()
    expect(
      await dashboardClient(service).api.sessions.create.mutate({ handle, password: 'a new horse' }),
    ).toEqual({
      handle,
    })
    expect(await setPassword()).toMatchObject({ fields: ['current_password'] })
  })

  test('needs the old password to set a new password once the session is older than ten minutes', async () => {
    const { setPassword } = await recovered()
    await service.core.database.orm.em
      .fork()
      .execute(`update sessions set may_reset_until = may_reset_until - interval '10 minutes'`)
    expect(await setPassword()).toMatchObject({ fields: ['current_password'] })
    expect(await setPassword(password)).toBeUndefined()
  })
})

test('changing an existing password requires the current one', async () => {
  const { browser } = await signUp()
  const call = browser.api.accounts.setPassword.mutate({ password: 'a new horse' })
  expect(await problemOf(call)).toMatchObject({ fields: ['current_password'] })
})
