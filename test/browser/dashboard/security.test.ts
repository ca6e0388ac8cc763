import { describe, expect, test } from 'vitest'
import type { Person } from '../../support/test-service.ts'
import { expectAccessible, PASSWORD, useDashboard } from '../support/dashboard.ts'
import { expectVisible } from '../support/locators.ts'
import { expectNotice } from '../support/notices.ts'
import { addAuthenticator } from '../support/passkeys.ts'
import { button, dialog, openSecurityView, rows, section } from '../support/security-view.ts'

const dashboard = useDashboard()

const sql = () => dashboard.service.core.database

const openSecurity = (person: Person) => openSecurityView(dashboard, person)

/** Makes a person's last confirmation expire. A confirmation is valid for ten minutes. */
const expireConfirmations = ({ handle }: Person) =>
  sql()
    .updateTable('sessions')
    .set({ confirmed_at: new Date(0) })
    .where('account_id', 'in', eb => eb.selectFrom('accounts').where('handle', '=', handle).select('id'))
    .execute()

/** Opens the security view of an account that signed in a while ago, and has recovery codes but no password. */
const withoutPassword = async () => {
  const person = await dashboard.service.signUp()
  const { recovery_codes } = await person.recovery.renew()
  const { page } = await openSecurity(person)
  await sql()
    .updateTable('accounts')
    .set({ password_hash: null })
    .where('handle', '=', person.handle)
    .execute()
  await expireConfirmations(person)
  await page.reload()
  await rows(page, 'Sessions').first().waitFor()
  return { page, person, recovery_codes }
}

describe('the password', () => {
  test('can be changed if the person enters the current password; the change ends all other sessions', async () => {
    const person = await dashboard.service.signUp()
    const other = await dashboard.as(person)
    const { page } = await openSecurity(person)
    await expectAccessible(page, 'security')
    await page.getByLabel('Current password').fill('wrong')
    await page.getByLabel('New password').fill('a new horse battery')
    await button(page, 'Change password').click()
    await page.getByText('This is not the current password.').waitFor()
    await page.getByLabel('Current password').fill(PASSWORD)
    await button(page, 'Change password').click()
    await expectNotice(page, 'Password saved. You are signed out everywhere else.')
    await expect.poll(() => page.getByLabel('New password').inputValue()).toBe('')
    await expect.poll(() => rows(page, 'Sessions').count()).toBe(1)

    await other.open('/')
    await expectVisible(other.page.getByRole('heading', { name: 'Sign in' }))
  })
})

describe('recovery codes', () => {
  test('can be replaced after a confirmation', async () => {
    const { page } = await openSecurity(await dashboard.service.signUp())
    const codes = section(page, 'Recovery codes')
    await codes.getByText(/^10 left, created/).waitFor()
    await button(codes, 'Create new codes').click()
    await dialog(page, 'Create new recovery codes?').waitFor()
    await expectAccessible(page, 'recovery-renew')
    await button(dialog(page, 'Create new recovery codes?'), 'Create new codes').click()
    const newCodes = dialog(page, 'Your new recovery codes')
    await newCodes.waitFor()
    await expect.poll(() => newCodes.getByRole('listitem').count()).toBe(10)
    await expectAccessible(page, 'recovery-new')
    await page.keyboard.press('Escape')
    await expect.poll(() => newCodes.isVisible()).toBe(true)
    await button(newCodes, 'I have saved it').click()
    await newCodes.waitFor({ state: 'detached' })
  })

  test('show a warning when none are left', async () => {
    const person = await dashboard.service.signUp()
    await sql()
      .deleteFrom('recovery_codes')
      .where('account_id', 'in', eb =>
        eb.selectFrom('accounts').where('handle', '=', person.handle).select('id'),
      )
      .execute()
    const { page } = await openSecurity(person)
    await section(page, 'Recovery codes')
      .getByText(/^You have no recovery codes\./)
      .waitFor()
    await expectAccessible(page, 'security-no-codes')
    await button(section(page, 'Recovery codes'), 'Create codes').click()
    await expectVisible(dialog(page, 'Your new recovery codes'))
  })
})

describe('more than ten minutes after the last confirmation', () => {
  test('an action asks for the password again before it is performed', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await openSecurity(person)
    await expireConfirmations(person)
    await button(section(page, 'Recovery codes'), 'Create new codes').click()
    await button(dialog(page, 'Create new recovery codes?'), 'Create new codes').click()
    const confirmation = dialog(page, 'Confirm it’s you')
    await confirmation.getByLabel('Password', { exact: true }).fill('wrong')
    await button(confirmation, 'Confirm').click()
    await confirmation.getByText('This is not your password.').waitFor()
    await expectAccessible(page, 'confirm-password')
    await confirmation.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expectVisible(dialog(page, 'Your new recovery codes'))
  })

  test('an action can be confirmed with a passkey instead of the password', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await openSecurity(person)
    await addAuthenticator(page)
    await button(section(page, 'Passkeys'), 'Add a passkey').click()
    await rows(page, 'Passkeys').first().waitFor()
    await expireConfirmations(person)
    await button(section(page, 'Passkeys'), /^Delete/).click()
    await button(page, 'Delete passkey').click()
    const confirmation = dialog(page, 'Confirm it’s you')
    await button(confirmation, 'Confirm with a passkey').waitFor()
    await expectAccessible(page, 'confirm-passkey')
    await button(confirmation, 'Confirm with a passkey').click()
    await expectVisible(section(page, 'Passkeys').getByText('You have no passkeys yet.'))
  })

  test('the password is needed to create a key', async () => {
    const space = await dashboard.service.createSpace()
    const { page } = await dashboard.inSpace(space, '/keys?issue=true')
    await page.getByLabel('Label').fill('Website build')
    await expireConfirmations(space.owner)
    await button(page, 'Create key').click()
    const confirmation = dialog(page, 'Confirm it’s you')
    await confirmation.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await expectAccessible(page, 'confirm-key')
    await button(confirmation, 'Confirm').click()
    await expectVisible(page.getByRole('region', { name: 'Key' }))
  })

  test('an account without a password confirms before it sets one', async () => {
    const { page, person, recovery_codes } = await withoutPassword()
    await page.getByLabel('New password').fill('a new horse battery')
    await button(page, 'Set password').click()
    const confirmation = dialog(page, 'Confirm it’s you')
    await confirmation.getByLabel('Recovery code').fill(recovery_codes[0]!)
    await expectAccessible(page, 'confirm-first-password')
    await button(confirmation, 'Confirm with a recovery code').click()
    await expectNotice(page, 'Password saved.')
    const credentials = { handle: person.handle, password: 'a new horse battery' }
    expect(await dashboard.service.anonymous().sessions.create(credentials)).toEqual({
      handle: person.handle,
    })
  })

  test('the password is also needed to create a token without expiry, and to delete a space or account', async () => {
    const space = await dashboard.service.createSpace()
    const { subdomain, owner } = space
    const { page, open } = await dashboard.as(owner)
    const confirm = async () => {
      const confirmation = dialog(page, 'Confirm it’s you')
      await confirmation.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await button(confirmation, 'Confirm').click()
    }
    await open('/account/tokens?issue=true')
    await page.getByLabel('Label').fill('Bot')
    await expireConfirmations(owner)
    await button(page, 'Create token').click()
    await dialog(page, 'Confirm it’s you').waitFor()
    await expectAccessible(page, 'confirm-token')
    await confirm()
    await page.getByRole('region', { name: 'Token' }).waitFor()
    await button(page, 'I have saved it').click()
    await page.getByRole('heading', { name: 'Bot' }).waitFor()

    await open(`/spaces/${subdomain}/settings`)
    await expireConfirmations(owner)
    await button(page, 'Delete space').click()
    await page.getByLabel('to confirm').fill(subdomain)
    await button(dialog(page, `Delete The ${subdomain}?`), 'Delete space').click()
    await dialog(page, 'Confirm it’s you').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page, 'Confirm it’s you').waitFor({ state: 'detached' })
    await expect.poll(() => owner.spaces.list()).toHaveLength(1)
    await button(dialog(page, `Delete The ${subdomain}?`), 'Delete space').click()
    await confirm()
    await expectNotice(page, `The ${subdomain} deleted.`)

    await open('/account/delete')
    await expireConfirmations(owner)
    await button(page, 'Delete account').click()
    await page.getByLabel('to confirm').fill(owner.handle)
    await button(dialog(page, 'Delete your account permanently?'), 'Delete account').click()
    await confirm()
    await page.waitForURL(/account-deleted/)
  })

  test('one confirmation is enough for two actions at the same time', async () => {
    const person = await dashboard.service.signUp()
    await sql().deleteFrom('recovery_codes').execute()
    const { page } = await openSecurity(person)
    const device = await addAuthenticator(page)
    await expireConfirmations(person)
    const refused = Promise.withResolvers<void>()
    await page.route('**/passkeys.startRegistration*', async route => {
      await refused.promise
      await route.fallback()
    })
    await button(section(page, 'Passkeys'), 'Add a passkey').click()
    await button(section(page, 'Recovery codes'), 'Create codes').click()
    const confirmation = dialog(page, 'Confirm it’s you')
    await confirmation.waitFor()
    const answer = page.waitForResponse('**/passkeys.startRegistration*')
    refused.resolve()
    await (await answer).finished()
    await confirmation.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await button(confirmation, 'Confirm').click()
    await button(dialog(page, 'Your new recovery codes'), 'I have saved it').click()
    await expect.poll(() => rows(page, 'Passkeys').count()).toBe(1)
    expect(await device.count()).toBe(1)
  })

  test('an account without a password confirms with a recovery code', async () => {
    const { page, person, recovery_codes } = await withoutPassword()
    await button(section(page, 'Recovery codes'), 'Create new codes').click()
    await button(dialog(page, 'Create new recovery codes?'), 'Create new codes').click()
    const confirmation = dialog(page, 'Confirm it’s you')
    const code = confirmation.getByLabel('Recovery code')
    await code.fill('wrong')
    await button(confirmation, 'Confirm with a recovery code').click()
    await confirmation.getByText('This is not one of your unused recovery codes.').waitFor()
    await expectAccessible(page, 'confirm-code')
    await code.fill(recovery_codes[0]!)
    await button(confirmation, 'Confirm with a recovery code').click()
    await expectVisible(dialog(page, 'Your new recovery codes'))
    expect((await person.recovery.status()).left).toBe(10)
  })

  test('an account without a password, passkey or recovery code has to sign in again', async () => {
    const { page, person } = await withoutPassword()
    await sql()
      .deleteFrom('recovery_codes')
      .where('account_id', 'in', eb =>
        eb.selectFrom('accounts').where('handle', '=', person.handle).select('id'),
      )
      .execute()
    await page.reload()
    await button(section(page, 'Recovery codes'), 'Create codes').click()
    const confirmation = dialog(page, 'Confirm it’s you')
    await confirmation.getByText('sign in again with a new link').waitFor()
    await expectAccessible(page, 'confirm-sign-in-again')
  })

  test('closing the dialog cancels the action', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await openSecurity(person)
    await expireConfirmations(person)
    await button(section(page, 'Passkeys'), 'Add a passkey').click()
    await dialog(page, 'Confirm it’s you').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page, 'Confirm it’s you').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await expect.poll(() => button(section(page, 'Passkeys'), 'Add a passkey').isEnabled()).toBe(true)
  })
})

describe('changing the password', () => {
  test('can also revoke all tokens', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await openSecurity(person)
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill('a new horse battery')
    await page.getByRole('checkbox', { name: 'Also revoke all tokens' }).check()
    await button(page, 'Change password').click()
    await expectNotice(page, 'all tokens are revoked')
    await expect.poll(() => person.tokens.list()).toEqual([])
  })
})

describe('the list of sessions', () => {
  test('marks this browser, and can end another session', async () => {
    const person = await dashboard.service.signUp()
    const other = await dashboard.as(person)
    const { page } = await openSecurity(person)
    await expectAccessible(page, 'security-sessions')
    const list = rows(page, 'Sessions')
    const count = await list.count()
    await expect.poll(() => list.filter({ hasText: 'This browser' }).count()).toBe(1)
    await button(list.filter({ hasNotText: 'This browser' }).first(), /^Sign out/).click()
    await expectNotice(page, /signed out\.$/)
    await expect.poll(() => list.count()).toBe(count - 1)
    const cookies = await other.page.context().cookies()
    expect(cookies.filter(({ name }) => name === 'session')).toHaveLength(1)
  })

  test('can end all other sessions after a confirmation', async () => {
    const person = await dashboard.service.signUp()
    const other = await dashboard.as(person)
    const { page } = await openSecurity(person)
    await button(page, 'Sign out everywhere else').click()
    await dialog(page, 'Sign out everywhere else?').waitFor()
    await expectAccessible(page, 'sessions-end')
    await button(dialog(page, 'Sign out everywhere else?'), 'Sign out everywhere else').click()
    await expectNotice(page, 'You are signed out everywhere else.')
    await expect.poll(() => rows(page, 'Sessions').count()).toBe(1)
    await other.open('/account/security')
    await expectVisible(other.page.getByRole('heading', { name: 'Sign in' }))
  })

  test('shows an error if it cannot be loaded, and loads on a retry', async () => {
    const { page, open } = await dashboard.as(await dashboard.service.signUp())
    let isBroken = true
    await page.route(/sessions\.list/, route => (isBroken ? route.abort() : route.continue()))
    await open('/account/security')
    const retry = button(section(page, 'Sessions'), 'Try again')
    await retry.waitFor()
    await expectAccessible(page, 'security-unreachable')
    isBroken = false
    await retry.click()
    await expectVisible(rows(page, 'Sessions').first())
  })
})
