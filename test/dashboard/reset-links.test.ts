import { describe, expect, test } from 'vitest'
import { createResetLink, createSignInLink } from '../../routers/accounts/links/create.ts'
import { hashSecret } from '../../routers/api/secret.ts'
import { uniqueName, useTestService } from '../support/test-service.ts'
import { dashboardClient, errorCodeOf, problemOf, tokenOf } from './support/dashboard-client.ts'

const service = useTestService()
const password = 'a new horse'
const sql = () => service.core.database

/** Signs up an account and creates a reset link for it, as an operator would. */
const lockedOut = async () => {
  const handle = uniqueName('locked')
  const browser = dashboardClient(service)
  const { recovery_codes } = await browser.api.accounts.signUp.mutate({
    handle,
    password: 'correct horse battery',
  })
  const { id } = await sql()
    .selectFrom('accounts')
    .where('handle', '=', handle)
    .select('id')
    .executeTakeFirstOrThrow()
  const link = async (make = createResetLink) => tokenOf(await make(sql(), service.core.addresses, id))
  return { handle, browser, codes: recovery_codes, link, token: await link() }
}

const reset = (token: string, from = dashboardClient(service)) =>
  from.api.accounts.resetPassword.mutate({ token, password })

describe('a reset link', () => {
  test('can be opened to see its account without being used up', async () => {
    const { handle, token } = await lockedOut()
    for (let i = 0; i < 2; i++)
      expect(await dashboardClient(service).api.links.look.mutate({ token })).toEqual({
        purpose: 'reset',
        handle,
      })
  })

  test('sets a new password, signs in and returns new recovery codes', async () => {
    const { handle, token, codes } = await lockedOut()
    const browser = dashboardClient(service)
    const done = await reset(token, browser)
    expect(done).toMatchObject({ handle, passkeys: 0 })
    expect(await browser.api.accounts.me.query()).toMatchObject({ handle })
    expect(await dashboardClient(service).api.sessions.create.mutate({ handle, password })).toEqual({
      handle,
    })
    const withCode = (code: string) =>
      errorCodeOf(dashboardClient(service).api.sessions.createFromCode.mutate({ handle, code }))
    expect(await withCode(codes[0]!)).toBe('sign_in_failed')
    expect(await withCode(done.recovery_codes[0]!)).toBeUndefined()
  })

  test('ends every session and every other link of the account', async () => {
    const { browser, token, link } = await lockedOut()
    const [another, signIn] = [await link(), await link(createSignInLink)]
    await reset(token)
    expect(await errorCodeOf(browser.api.accounts.me.query())).toBe('sign_in_required')
    expect(await errorCodeOf(reset(another))).toBe('link_not_found')
    expect(
      await errorCodeOf(dashboardClient(service).api.sessions.createFromLink.mutate({ token: signIn })),
    ).toBe('sign_in_failed')
  })

  test('works once, even for two concurrent callers', async () => {
    const { token } = await lockedOut()
    const outcomes = await Promise.all([errorCodeOf(reset(token)), errorCodeOf(reset(token))])
    expect(new Set(outcomes)).toEqual(new Set([undefined, 'link_not_found']))
  })

  test('is not used up by an invalid password', async () => {
    const { token } = await lockedOut()
    const { api } = dashboardClient(service)
    const call = api.accounts.resetPassword.mutate({ token, password: 'short' })
    expect(await problemOf(call)).toMatchObject({ fields: ['password'] })
    expect(await errorCodeOf(reset(token))).toBeUndefined()
  })

  test('expires after half an hour', async () => {
    const { token } = await lockedOut()
    await sql().updateTable('sign_in_links').set({ expires_at: new Date() }).execute()
    expect(await errorCodeOf(reset(token))).toBe('link_not_found')
    expect(await errorCodeOf(dashboardClient(service).api.links.look.mutate({ token }))).toBe(
      'link_not_found',
    )
  })

  test('is deleted after it has expired, when another link is created', async () => {
    const { token, link } = await lockedOut()
    const expired = await link()
    const isStored = async (secret: string) =>
      (
        await sql()
          .selectFrom('sign_in_links')
          .where('token_hash', '=', hashSecret(secret))
          .select('purpose')
          .execute()
      ).length === 1
    await sql()
      .updateTable('sign_in_links')
      .set({ expires_at: new Date() })
      .where('token_hash', '=', hashSecret(expired))
      .execute()
    await link()
    expect([await isStored(token), await isStored(expired)]).toEqual([true, false])
  })

  test('stops working when the account’s owner sets a password another way', async () => {
    const { browser, token } = await lockedOut()
    await browser.api.accounts.setPassword.mutate({ current_password: 'correct horse battery', password })
    expect(await errorCodeOf(reset(token))).toBe('link_not_found')
  })

  test('is refused as a sign-in link and as a set-up link', async () => {
    const { token } = await lockedOut()
    const { api } = dashboardClient(service)
    expect(await errorCodeOf(api.sessions.createFromLink.mutate({ token }))).toBe('sign_in_failed')
    const handle = uniqueName('set')
    expect(await errorCodeOf(api.accounts.signUp.mutate({ handle, password, set_up: token }))).toBe(
      'link_not_found',
    )
  })

  test('is the only kind of link that resets a password: a sign-in link is rejected', async () => {
    const { link } = await lockedOut()
    expect(await errorCodeOf(reset(await link(createSignInLink)))).toBe('link_not_found')
  })
})

test('attempts to use a link are rate limited by network address', async () => {
  const { api } = dashboardClient(service)
  const call = () => problemOf(api.links.look.mutate({ token: 'x' }))
  let last = await call()
  for (let i = 0; i < 100 && last?.code === 'link_not_found'; i++) last = await call()
  expect(last).toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number) })
  expect(await problemOf(reset('x'))).toMatchObject({ code: 'rate_limited' })
})
