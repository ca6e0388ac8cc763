import { describe, expect, test } from 'vitest'
import { sqlOf } from '../../../db/orm.ts'
import { makeResetLink, makeSignInLink } from '../../../routers/accounts/links/make.ts'
import { uniqueName } from '../../support/world.ts'
import { expectAccessible, PASSWORD, root, useDashboard } from '../support/dashboard.ts'
import {
  alert,
  button,
  expectPath,
  expectVisible,
  fillIn,
  heading,
  recoveryCodes,
} from '../support/locators.ts'

const open = useDashboard()

const sql = ({ world }: typeof open) => sqlOf(world.service.core.orm)

/** A link for somebody, as an operator makes it. */
const linkFor = async (handle: string, make = makeResetLink) => {
  const { id } = await sql(open)
    .selectFrom('accounts')
    .where('handle', '=', handle)
    .select('id')
    .executeTakeFirstOrThrow()
  return make(sql(open), open.world.service.core.addresses, id)
}

/** Somebody with recovery codes, made through the dashboard's own procedure. */
const withCodes = async () => {
  const handle = uniqueName('codes')
  const { recovery_codes } = await open.world.nobody().accounts.signUp({ handle, password: PASSWORD })
  return { handle, codes: recovery_codes }
}

describe('signing in', () => {
  test('leads to where one wanted to go', async () => {
    const { handle } = await open.world.person()
    const { page, open: go } = await open.anonymous()
    await go('/account/security?from=mail')
    await heading(page, 'Sign in').waitFor()
    await fillIn(page, { Handle: handle, Password: PASSWORD })
    await page.keyboard.press('Enter')
    await heading(page, 'Security').waitFor()
    expect(new URL(page.url()).pathname).toBe('/admin/account/security')
    expect(new URL(page.url()).search).toBe('?from=mail')
  })

  test('is not asked of somebody who is signed in', async () => {
    const { page, open: go } = await open.as(await open.world.person())
    await go('/sign-in?next=/account/security')
    await heading(page, 'Security').waitFor()
    await expectPath(page, '/account/security')
    await go('/sign-up')
    await expectPath(page, '/')
  })

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'never leads to %s',
    async next => {
      const { handle } = await open.world.person()
      const { page, open: go } = await open.anonymous()
      await go(`/sign-in?next=${encodeURIComponent(next)}`)
      await fillIn(page, { Handle: handle, Password: PASSWORD })
      await button(page, 'Sign in').click()
      await expectPath(page, '/')
    },
  )

  test('with a wrong password says so, and keeps the handle', async () => {
    const { handle } = await open.world.person()
    const { page, open: go } = await open.anonymous()
    await go('/sign-in')
    await fillIn(page, { Handle: handle, Password: 'wrong' })
    await button(page, 'Sign in').click()
    await alert(page).getByText('Handle and password do not match.').waitFor()
    expect(await page.getByLabel('Handle').inputValue()).toBe(handle)
    await expectAccessible(page, 'sign-in-wrong')
  })

  test('counts down after too many attempts', async () => {
    const { handle } = await open.world.person()
    const { page, open: go } = await open.anonymous()
    await go('/sign-in')
    for (let i = 0; i < 10; i++)
      await page.context().request.post(`${root(open.world)}/trpc/sessions.create`, {
        data: { handle, password: 'wrong' },
      })
    await fillIn(page, { Handle: handle, Password: PASSWORD })
    await button(page, 'Sign in').click()
    await alert(page)
      .getByText(/Wait 15 minutes, then try again\./)
      .waitFor()
    await expectAccessible(page, 'sign-in-busy')
  })

  test('says when there is no network, and works once there is', async () => {
    const { handle } = await open.world.person()
    const { page, context, open: go } = await open.anonymous()
    await go('/sign-in')
    await button(page, 'Sign in with a passkey').waitFor()
    await fillIn(page, { Handle: handle, Password: PASSWORD })
    await context.setOffline(true)
    await button(page, 'Sign in').click()
    await alert(page).getByText('You are offline', { exact: true }).waitFor()
    await expectAccessible(page, 'sign-in-offline')
    await context.setOffline(false)
    await button(page, 'Sign in').click()
    await expectVisible(page.getByRole('heading', { name: 'Make your first space' }))
  })

  test('tells the reference number of a fault of ours', async () => {
    const { page, open: go } = await open.anonymous()
    await go('/sign-in')
    await page.route('**/trpc/sessions.create*', route =>
      route.fulfill({
        status: 500,
        json: [
          {
            error: {
              message: 'x',
              code: -32603,
              data: {
                problem: {
                  status: 500,
                  code: 'internal_error',
                  title: 'Something broke on our side',
                  detail: 'Reference r-1',
                },
              },
            },
          },
        ],
      }),
    )
    await fillIn(page, { Handle: 'somebody', Password: PASSWORD })
    await button(page, 'Sign in').click()
    await alert(page).getByText('Reference r-1').waitFor()
    await expectAccessible(page, 'sign-in-fault')
  })
})

describe('a recovery code', () => {
  test('lets one in and set a new password', async () => {
    const { handle, codes } = await withCodes()
    const { page, open: go } = await open.anonymous()
    await go('/sign-in')
    await page.getByRole('link', { name: 'Use a recovery code' }).click()
    await heading(page, 'Use a recovery code').waitFor()
    await expectAccessible(page, 'recover')
    await fillIn(page, { Handle: handle, 'Recovery code': codes[0]!.toUpperCase().replaceAll('-', ' ') })
    await button(page, 'Sign in').click()
    await heading(page, 'Set a new password').waitFor()
    await page.getByText('9 recovery codes are left.').waitFor()
    await expectAccessible(page, 'recovered')
    await fillIn(page, { 'New password': 'a new horse battery' })
    await button(page, 'Set the password').click()
    await expectPath(page, '/')
    expect(await open.world.nobody().sessions.create({ handle, password: 'a new horse battery' })).toEqual({
      handle,
    })
  })

  test('that was used before does not', async () => {
    const { handle, codes } = await withCodes()
    await open.world.nobody().sessions.createFromCode({ handle, code: codes[0]! })
    const { page, open: go } = await open.anonymous()
    await go('/recover')
    await fillIn(page, { Handle: handle, 'Recovery code': codes[0]! })
    await button(page, 'Sign in').click()
    await expectVisible(alert(page).getByText('Handle and code do not match, or the code was used before.'))
  })
})

describe("an operator's link", () => {
  test('sets a new password, gives new codes, and ends what was open', async () => {
    const person = await open.world.person()
    const other = await open.as(person)
    const { page } = await open.anonymous()
    await page.goto(await linkFor(person.handle))
    await heading(page, 'Set a new password').waitFor()
    await expectPath(page, '/link')
    await expectAccessible(page, 'reset')
    await fillIn(page, { 'New password': 'short' })
    await button(page, 'Set the password').click()
    await page.getByText('Must be 10 to 200 characters long.').waitFor()
    await fillIn(page, { 'New password': 'a new horse battery' })
    await button(page, 'Set the password').click()
    await heading(page, 'Save your recovery codes').waitFor()
    expect(await recoveryCodes(page)).toHaveLength(10)
    await button(page, 'I have saved them').click()
    await expectPath(page, '/')

    await other.open('/account/security')
    await heading(other.page, 'Sign in').waitFor()
  })

  test('signs in by a click', async () => {
    const person = await open.world.person()
    const { page } = await open.anonymous()
    await page.goto(await linkFor(person.handle, makeSignInLink))
    await heading(page, `Come in as ${person.handle}`).waitFor()
    await expectPath(page, '/link')
    await expectAccessible(page, 'sign-in-link')
    await button(page, `Sign in as ${person.handle}`).click()
    await expectPath(page, '/')
    await page.getByRole('heading', { name: 'Make your first space' }).waitFor()
  })

  test('that has expired says so, and a newer one opens in the same tab', async () => {
    const { handle } = await open.world.person()
    const { page } = await open.anonymous()
    const old = await linkFor(handle)
    await sql(open).updateTable('sign_in_links').set({ expires_at: new Date() }).execute()
    await page.goto(old)
    await heading(page, 'This link does not open').waitFor()
    await page.goto(await linkFor(handle))
    await expectVisible(heading(page, 'Set a new password'))
  })
})
