import { describe, expect, test } from 'vitest'
import { createResetLink, createSignInLink } from '../../../routers/accounts/links/create.ts'
import { uniqueName } from '../../support/test-service.ts'
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

const dashboard = useDashboard()

const sql = ({ service }: typeof dashboard) => service.core.database

/** Creates a link that resets a person's password or signs the person in, as an operator does. */
const createLink = async (handle: string, make = createResetLink) => {
  const { id } = await sql(dashboard)
    .selectFrom('accounts')
    .where('handle', '=', handle)
    .select('id')
    .executeTakeFirstOrThrow()
  return make(sql(dashboard), dashboard.service.core.addresses, id)
}

/** Creates an account through the sign-up procedure, which returns recovery codes. */
const signUp = async () => {
  const handle = uniqueName('codes')
  const { recovery_codes } = await dashboard.service
    .anonymous()
    .accounts.signUp({ handle, password: PASSWORD })
  return { handle, codes: recovery_codes }
}

describe('signing in', () => {
  test('shows a form that does not move when further ways to sign in appear below it', async () => {
    await dashboard.service.signUp()
    const { page, context, open } = await dashboard.anonymous()
    let answer = () => {}
    const isAnswered = new Promise<void>(resolve => (answer = resolve))
    await context.route(/accounts\.entry/, async route => {
      await isAnswered
      await route.continue()
    })
    await open('/sign-in')
    const place = async () => [
      await page.getByLabel('Handle').boundingBox(),
      await page.getByRole('link', { name: 'Use a recovery code' }).boundingBox(),
    ]
    await page.getByLabel('Handle').waitFor()
    // The lines can get another height when the typeface has loaded.
    await page.evaluate('document.fonts.ready.then(() => {})')
    const before = await place()
    answer()
    await page.getByRole('link', { name: 'Create an account' }).waitFor()
    expect(await place()).toEqual(before)
  })

  test('can show the password without a mouse', async () => {
    await dashboard.service.signUp()
    const { page, open } = await dashboard.anonymous()
    await open('/sign-in')
    const password = page.getByLabel('Password', { exact: true })
    await password.fill('correct horse')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect.poll(() => password.getAttribute('type')).toBe('text')
  })

  test('opens the requested view', async () => {
    const { handle } = await dashboard.service.signUp()
    const { page, open } = await dashboard.anonymous()
    await open('/account/security?from=mail')
    await heading(page, 'Sign in').waitFor()
    await fillIn(page, { Handle: handle, Password: PASSWORD })
    await page.keyboard.press('Enter')
    await heading(page, 'Security').waitFor()
    expect(new URL(page.url()).pathname).toBe('/admin/account/security')
    expect(new URL(page.url()).search).toBe('?from=mail')
  })

  test('is not necessary for people who are already signed in', async () => {
    const { page, open } = await dashboard.as(await dashboard.service.signUp())
    await open('/sign-in?next=/account/security')
    await heading(page, 'Security').waitFor()
    await expectPath(page, '/account/security')
    await open('/sign-up')
    await expectPath(page, '/')
  })

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'never redirects to %s',
    async next => {
      const { handle } = await dashboard.service.signUp()
      const { page, open } = await dashboard.anonymous()
      await open(`/sign-in?next=${encodeURIComponent(next)}`)
      await fillIn(page, { Handle: handle, Password: PASSWORD })
      await button(page, 'Sign in').click()
      await expectPath(page, '/')
    },
  )

  test('shows an error for a wrong password and keeps the handle', async () => {
    const { handle } = await dashboard.service.signUp()
    const { page, open } = await dashboard.anonymous()
    await open('/sign-in')
    await fillIn(page, { Handle: handle, Password: 'wrong' })
    await button(page, 'Sign in').click()
    await alert(page).getByText('The handle or password is wrong.').waitFor()
    await expect.poll(() => page.getByLabel('Handle').inputValue()).toBe(handle)
    await expectAccessible(page, 'sign-in-wrong')
  })

  test('says how long to wait after too many attempts', async () => {
    const { handle } = await dashboard.service.signUp()
    const { page, open } = await dashboard.anonymous()
    await open('/sign-in')
    for (let i = 0; i < 10; i++)
      await page.context().request.post(`${root(dashboard.service)}/trpc/sessions.create`, {
        data: { handle, password: 'wrong' },
      })
    await fillIn(page, { Handle: handle, Password: PASSWORD })
    await button(page, 'Sign in').click()
    // The limit ends 15 minutes after the first attempt, and the test takes at most 4 of them.
    await alert(page)
      .getByText(/Wait 1[1-5] minutes, then try again\./)
      .waitFor()
    await expectAccessible(page, 'sign-in-rate-limited')
  })

  test('shows an error while offline, and works after reconnecting', async () => {
    const { handle } = await dashboard.service.signUp()
    const { page, context, open } = await dashboard.anonymous()
    // The view asks for this in the background. If it failed, there would be a second alert.
    const offered = page.waitForResponse(/passkeys\.startSignIn/)
    await open('/sign-in')
    await button(page, 'Sign in with a passkey').waitFor()
    await (await offered).finished()
    await fillIn(page, { Handle: handle, Password: PASSWORD })
    await context.setOffline(true)
    await button(page, 'Sign in').click()
    await alert(page).getByText('You are offline', { exact: true }).waitFor()
    await expectAccessible(page, 'sign-in-offline')
    await context.setOffline(false)
    await button(page, 'Sign in').click()
    await expectVisible(page.getByRole('heading', { name: 'Create your first space' }))
  })

  test('shows the reference of an internal error', async () => {
    const { page, open } = await dashboard.anonymous()
    await open('/sign-in')
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
    await expectAccessible(page, 'sign-in-error')
  })
})

describe('a recovery code', () => {
  test('signs in and allows setting a new password', async () => {
    const { handle, codes } = await signUp()
    const { page, open } = await dashboard.anonymous()
    await open('/sign-in')
    await page.getByRole('link', { name: 'Use a recovery code' }).click()
    await heading(page, 'Use a recovery code').waitFor()
    await expectAccessible(page, 'recover')
    await fillIn(page, { Handle: handle, 'Recovery code': codes[0]!.toUpperCase().replaceAll('-', ' ') })
    await button(page, 'Sign in').click()
    await heading(page, 'Set a new password').waitFor()
    await page.getByText('You have 9 recovery codes left.').waitFor()
    await expectAccessible(page, 'recover-password')
    await fillIn(page, { 'New password': 'a new horse battery' })
    await button(page, 'Set password').click()
    await expectPath(page, '/')
    expect(
      await dashboard.service.anonymous().sessions.create({ handle, password: 'a new horse battery' }),
    ).toEqual({
      handle,
    })
  })

  test('works only once', async () => {
    const { handle, codes } = await signUp()
    await dashboard.service.anonymous().sessions.createFromCode({ handle, code: codes[0]! })
    const { page, open } = await dashboard.anonymous()
    await open('/recover')
    await fillIn(page, { Handle: handle, 'Recovery code': codes[0]! })
    await button(page, 'Sign in').click()
    await expectVisible(alert(page).getByText('The handle or code is wrong, or the code was used before.'))
  })
})

describe("an operator's link", () => {
  test('sets a new password, shows new recovery codes and ends all sessions', async () => {
    const person = await dashboard.service.signUp()
    const other = await dashboard.as(person)
    const { page } = await dashboard.anonymous()
    await page.goto(await createLink(person.handle))
    await heading(page, 'Set a new password').waitFor()
    await expectPath(page, '/link')
    await expectAccessible(page, 'reset')
    await fillIn(page, { 'New password': 'short' })
    await button(page, 'Set password').click()
    await page.getByText('Must be 10 to 200 characters long.').waitFor()
    await fillIn(page, { 'New password': 'a new horse battery' })
    await button(page, 'Set password').click()
    await heading(page, 'Save your recovery codes').waitFor()
    expect(await recoveryCodes(page)).toHaveLength(10)
    await button(page, 'I have saved them').click()
    await expectPath(page, '/')

    await other.open('/account/security')
    await heading(other.page, 'Sign in').waitFor()
  })

  test('signs in only after a click', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await dashboard.anonymous()
    await page.goto(await createLink(person.handle, createSignInLink))
    await heading(page, `Sign in as ${person.handle}`).waitFor()
    await expectPath(page, '/link')
    await expectAccessible(page, 'sign-in-link')
    await button(page, `Sign in as ${person.handle}`).click()
    await expectPath(page, '/')
    await page.getByRole('heading', { name: 'Create your first space' }).waitFor()
  })

  test('is refused after it has expired, and a newer one can be opened in the same tab', async () => {
    const { handle } = await dashboard.service.signUp()
    const { page } = await dashboard.anonymous()
    const old = await createLink(handle)
    await sql(dashboard).updateTable('sign_in_links').set({ expires_at: new Date() }).execute()
    await page.goto(old)
    await heading(page, 'This link no longer works').waitFor()
    await page.goto(await createLink(handle))
    await expectVisible(heading(page, 'Set a new password'))
  })
})
