import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Person } from '../../support/test-service.ts'
import { expectAccessible, root, useDashboard } from '../support/dashboard.ts'
import { expectVisible } from '../support/locators.ts'
import { expectNotice } from '../support/notices.ts'
import { addAuthenticator } from '../support/passkeys.ts'
import { button, dialog, openSecurityView, rows, section } from '../support/security-view.ts'

const dashboard = useDashboard()

const openSecurity = (person: Person) => openSecurityView(dashboard, person)

/**
 * Keeps the windows that are opened from now on from offering passkeys as autofill suggestions. Otherwise, the finger
 * could accept a suggestion before the button is clicked.
 */
const offerNoAutofill = (page: Page) =>
  page.addInitScript(
    `if (globalThis.PublicKeyCredential)
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)`,
  )

const openSignIn = async (page: Page) => {
  await page.goto(`${root(dashboard.service)}/admin/sign-in`)
  await button(page, 'Sign in with a passkey').waitFor()
}

describe('a passkey', () => {
  test('can be added, renamed, used to sign in, and deleted', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await openSecurity(person)
    const device = await addAuthenticator(page)
    const passkeys = section(page, 'Passkeys')
    await passkeys.getByText('You have no passkeys yet.').waitFor()
    await button(passkeys, 'Add a passkey').click()
    await expectNotice(page, 'Passkey “Chrome on Linux” added.')
    expect(await device.count()).toBe(1)

    await button(passkeys, 'Rename Chrome on Linux').click()
    await dialog(page, 'Rename passkey').getByLabel('Name').fill('My laptop')
    await expectAccessible(page, 'passkey-rename')
    await button(dialog(page, 'Rename passkey'), 'Save name').click()
    await passkeys.getByText('My laptop').waitFor()
    await expectAccessible(page, 'security-passkey')

    await button(page, /^Account menu/).click()
    await device.touch(false)
    await page.getByRole('dialog', { name: 'Account menu' }).getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(url => url.pathname === '/admin/sign-in')
    await offerNoAutofill(page)
    await openSignIn(page)
    await device.touch(true)
    await button(page, 'Sign in with a passkey').click()
    await page.getByRole('heading', { name: 'Create your first space' }).waitFor()

    await page.goto(`${root(dashboard.service)}/admin/account/security`)
    await button(passkeys, 'Delete My laptop').click()
    await expectAccessible(page, 'passkey-delete')
    await button(dialog(page, 'Delete My laptop?'), 'Delete passkey').click()
    await expectVisible(passkeys.getByText('You have no passkeys yet.'))
  })

  test('that was deleted elsewhere leaves the dialog in which its new name is typed', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await openSecurity(person)
    await addAuthenticator(page)
    const passkeys = section(page, 'Passkeys')
    await button(passkeys, 'Add a passkey').click()
    await button(passkeys, 'Rename Chrome on Linux').click()
    const renaming = dialog(page, 'Rename passkey')
    await renaming.getByLabel('Name').fill('My laptop')
    const [passkey] = await person.passkeys.list()
    await person.passkeys.delete({ passkey_id: passkey!.id })
    await button(renaming, 'Save name').click()
    await page.getByText('You have no passkeys yet.').waitFor()
    await renaming.getByRole('alert').waitFor()
    expect(await renaming.getByLabel('Name').inputValue()).toBe('My laptop')
  })

  test('signs in only once if autofill and the button are both used', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await openSecurity(person)
    await addAuthenticator(page)
    await button(section(page, 'Passkeys'), 'Add a passkey').click()
    await rows(page, 'Passkeys').first().waitFor()
    await page.context().clearCookies()
    // After the first sign-in, the dashboard requests the list of spaces. The response to the second sign-in arrives
    // while this request is held back.
    const sent = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    let signIns = 0
    await page.route('**/passkeys.signIn*', async route => {
      signIns++
      if (signIns === 2) sent.resolve()
      await (signIns === 1 ? sent : answered).promise
      await route.fallback()
    })
    let isAnswered = false
    await page.route('**/trpc/*spaces.list*', async route => {
      if (!isAnswered) {
        isAnswered = true
        const answer = page.waitForResponse(response => response.url().includes('passkeys.signIn'))
        answered.resolve()
        await (await answer).finished()
        // The dashboard has handled that response when a later one has arrived.
        await page.evaluate(async () => (await fetch('/healthz')).text())
      }
      await route.fallback()
    })
    await openSignIn(page)
    await expect.poll(() => signIns).toBe(1)
    await button(page, 'Sign in with a passkey').click()
    await expectVisible(page.getByRole('heading', { name: 'Create your first space' }))
  })

  test('is among the autofill suggestions of the handle field', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await openSecurity(person)
    const device = await addAuthenticator(page)
    await button(section(page, 'Passkeys'), 'Add a passkey').click()
    await rows(page, 'Passkeys').first().waitFor()
    await page.context().clearCookies()
    expect(await device.count()).toBe(1)
    // The virtual finger is on the sensor, so the authenticator accepts the autofill suggestion immediately.
    await page.goto(`${root(dashboard.service)}/admin/sign-in`)
    await expectVisible(page.getByRole('heading', { name: 'Create your first space' }))
  })

  test('cannot be added twice on one device', async () => {
    const { page } = await openSecurity(await dashboard.service.signUp())
    await addAuthenticator(page)
    const add = button(section(page, 'Passkeys'), 'Add a passkey')
    await add.click()
    await rows(page, 'Passkeys').first().waitFor()
    await add.click()
    await expectVisible(
      page.getByRole('alert').getByText('This device already has a passkey for your account.'),
    )
  })

  test('is refused at sign-in after it was deleted, with an explanation', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await openSecurity(person)
    await addAuthenticator(page)
    await button(section(page, 'Passkeys'), 'Add a passkey').click()
    await rows(page, 'Passkeys').first().waitFor()
    await dashboard.service.core.database.deleteFrom('passkeys').execute()
    await page.context().clearCookies()
    await offerNoAutofill(page)
    await openSignIn(page)
    await button(page, 'Sign in with a passkey').click()
    await page
      .getByRole('alert')
      .getByText(/The passkey is no longer registered/)
      .waitFor()
    await expectAccessible(page, 'sign-in-passkey-unknown')
  })
})
