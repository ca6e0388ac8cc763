import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { sqlOf } from '../../../db/orm.ts'
import type { Person } from '../../support/world.ts'
import { expectAccessible, PASSWORD, root, useDashboard } from '../support/dashboard.ts'
import { addAuthenticator } from '../support/passkeys.ts'

const dashboard = useDashboard()

const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true })
const section = (page: Page, name: string) => page.getByRole('region', { name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const rows = (page: Page, name: string) => page.getByRole('list', { name }).getByRole('listitem')
const sql = () => sqlOf(dashboard.world.service.core.orm)

/** Waits until that is to be seen. */
const expectVisible = async (what: Locator) => {
  await what.waitFor()
  expect(await what.isVisible()).toBe(true)
}

/** The security view of somebody. */
const securityOf = async (person: Person) => {
  const window = await dashboard.as(person)
  await window.open('/account/security')
  await rows(window.page, 'Open sessions').first().waitFor()
  return window
}

/** Makes it more than ten minutes since somebody last showed who they are. */
const forgetConfirmations = ({ handle }: Person) =>
  sql()
    .updateTable('sessions')
    .set({ confirmed_at: new Date(0) })
    .where('account_id', 'in', eb => eb.selectFrom('accounts').where('handle', '=', handle).select('id'))
    .execute()

const signInTo = async (page: Page) => {
  await page.goto(`${root(dashboard.world)}/admin/sign-in`)
  await button(page, 'Sign in with a passkey').waitFor()
}

describe('the password', () => {
  test('is changed with the one that one has, and ends the other sessions', async () => {
    const person = await dashboard.world.person()
    const other = await dashboard.as(person)
    const { page } = await securityOf(person)
    await expectAccessible(page, 'security')
    await page.getByLabel('Current password').fill('wrong')
    await page.getByLabel('New password').fill('a new horse battery')
    await button(page, 'Change the password').click()
    await page.getByText('Is not the current password.').waitFor()
    await page.getByLabel('Current password').fill(PASSWORD)
    await button(page, 'Change the password').click()
    await page.getByText('Your password is set, and you are signed out everywhere else').waitFor()
    expect(await page.getByLabel('New password').inputValue()).toBe('')
    expect(await rows(page, 'Open sessions').count()).toBe(1)

    await other.open('/')
    await expectVisible(other.page.getByRole('heading', { name: 'Sign in' }))
  })
})

describe('a passkey', () => {
  test('is added, renamed, used to sign in without typing, and deleted', async () => {
    const person = await dashboard.world.person()
    const { page } = await securityOf(person)
    const device = await addAuthenticator(page)
    const passkeys = section(page, 'Passkeys')
    await passkeys.getByText('You have none yet.').waitFor()
    await button(passkeys, 'Add a passkey').click()
    await page.getByText('Chrome on Linux is a passkey of yours now').waitFor()
    expect(await device.count()).toBe(1)

    await button(passkeys, 'Rename Chrome on Linux').click()
    await dialog(page, 'Rename the passkey').getByLabel('Name').fill('My laptop')
    await expectAccessible(page, 'passkey-rename')
    await button(dialog(page, 'Rename the passkey'), 'Save').click()
    await passkeys.getByText('My laptop').waitFor()
    await expectAccessible(page, 'security-passkey')

    await button(page, /^Account menu/).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await device.touch(false)
    await signInTo(page)
    await device.touch(true)
    await button(page, 'Sign in with a passkey').click()
    await page.getByRole('heading', { name: 'Make your first space' }).waitFor()

    await page.goto(`${root(dashboard.world)}/admin/account/security`)
    await button(passkeys, 'Delete My laptop').click()
    await expectAccessible(page, 'passkey-delete')
    await button(dialog(page, 'Delete My laptop?'), 'Delete the passkey').click()
    await expectVisible(passkeys.getByText('You have none yet.'))
  })

  test('is offered where the handle is typed', async () => {
    const person = await dashboard.world.person()
    const { page } = await securityOf(person)
    const device = await addAuthenticator(page)
    await button(section(page, 'Passkeys'), 'Add a passkey').click()
    await rows(page, 'Passkeys').first().waitFor()
    await page.context().clearCookies()
    expect(await device.count()).toBe(1)
    // The finger is on the sensor: what the browser offers is taken at once.
    await page.goto(`${root(dashboard.world)}/admin/sign-in`)
    await expectVisible(page.getByRole('heading', { name: 'Make your first space' }))
  })

  test('is not added twice to one device', async () => {
    const { page } = await securityOf(await dashboard.world.person())
    await addAuthenticator(page)
    const add = button(section(page, 'Passkeys'), 'Add a passkey')
    await add.click()
    await rows(page, 'Passkeys').first().waitFor()
    await add.click()
    await expectVisible(
      page.getByRole('alert').getByText('This device has a passkey for your account already.'),
    )
  })

  test('that the service knows no more is refused at sign-in, with a word on why', async () => {
    const person = await dashboard.world.person()
    const { page } = await securityOf(person)
    const device = await addAuthenticator(page)
    await button(section(page, 'Passkeys'), 'Add a passkey').click()
    await rows(page, 'Passkeys').first().waitFor()
    await sql().deleteFrom('passkeys').execute()
    await page.context().clearCookies()
    await device.touch(false)
    await signInTo(page)
    await device.touch(true)
    await button(page, 'Sign in with a passkey').click()
    await page
      .getByRole('alert')
      .getByText(/The passkey is not known here any more/)
      .waitFor()
    await expectAccessible(page, 'sign-in-passkey-unknown')
  })
})

describe('recovery codes', () => {
  test('are counted, and made anew after a question', async () => {
    const { page } = await securityOf(await dashboard.world.person())
    const codes = section(page, 'Recovery codes')
    await codes.getByText(/^10 left, made/).waitFor()
    await button(codes, 'Make new codes').click()
    await expectAccessible(page, 'recovery-renew')
    await button(dialog(page, 'Make new recovery codes?'), 'Make new codes').click()
    const shown = dialog(page, 'Your new recovery codes')
    await shown.waitFor()
    expect(await shown.getByRole('listitem').count()).toBe(10)
    await expectAccessible(page, 'recovery-new')
    await page.keyboard.press('Escape')
    expect(await shown.isVisible()).toBe(true)
    await button(shown, 'I have saved it').click()
    await shown.waitFor({ state: 'detached' })
  })

  test('are warned of when few are left', async () => {
    const person = await dashboard.world.person()
    await sql()
      .deleteFrom('recovery_codes')
      .where('account_id', 'in', eb =>
        eb.selectFrom('accounts').where('handle', '=', person.handle).select('id'),
      )
      .execute()
    const { page } = await securityOf(person)
    await section(page, 'Recovery codes')
      .getByText(/^You have none\./)
      .waitFor()
    await expectAccessible(page, 'security-no-codes')
    await button(section(page, 'Recovery codes'), 'Make codes').click()
    await expectVisible(dialog(page, 'Your new recovery codes'))
  })
})

describe('after ten minutes', () => {
  test('the password is asked once more, and then what was wanted is done', async () => {
    const person = await dashboard.world.person()
    const { page } = await securityOf(person)
    await forgetConfirmations(person)
    await button(section(page, 'Recovery codes'), 'Make new codes').click()
    await button(dialog(page, 'Make new recovery codes?'), 'Make new codes').click()
    const question = dialog(page, 'Confirm that it is you')
    await question.getByLabel('Password', { exact: true }).fill('wrong')
    await button(question, 'Confirm').click()
    await question.getByText('Is not your password.').waitFor()
    await expectAccessible(page, 'confirm-password')
    await question.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expectVisible(dialog(page, 'Your new recovery codes'))
  })

  test('a passkey confirms as well', async () => {
    const person = await dashboard.world.person()
    const { page } = await securityOf(person)
    await addAuthenticator(page)
    await button(section(page, 'Passkeys'), 'Add a passkey').click()
    await rows(page, 'Passkeys').first().waitFor()
    await forgetConfirmations(person)
    await button(section(page, 'Passkeys'), /^Delete/).click()
    await button(page, 'Delete the passkey').click()
    const question = dialog(page, 'Confirm that it is you')
    await button(question, 'Confirm with a passkey').waitFor()
    await expectAccessible(page, 'confirm-passkey')
    await button(question, 'Confirm with a passkey').click()
    await expectVisible(section(page, 'Passkeys').getByText('You have none yet.'))
  })

  test('closing the question leaves everything as it is', async () => {
    const person = await dashboard.world.person()
    const { page } = await securityOf(person)
    await forgetConfirmations(person)
    await button(section(page, 'Passkeys'), 'Add a passkey').click()
    await dialog(page, 'Confirm that it is you').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page, 'Confirm that it is you').waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await button(section(page, 'Passkeys'), 'Add a passkey').isEnabled()).toBe(true)
  })
})

describe('the list of sessions', () => {
  test('names this browser, and ends another one', async () => {
    const person = await dashboard.world.person()
    const other = await dashboard.as(person)
    const { page } = await securityOf(person)
    await expectAccessible(page, 'security-sessions')
    const list = rows(page, 'Open sessions')
    const count = await list.count()
    expect(await list.filter({ hasText: 'This browser' }).count()).toBe(1)
    await button(list.filter({ hasNotText: 'This browser' }).first(), /^Sign out/).click()
    await page.getByText(/is signed out$/).waitFor()
    await expect.poll(() => list.count()).toBe(count - 1)
    expect(await other.page.context().cookies()).toHaveLength(1)
  })

  test('ends all others at once after a question', async () => {
    const person = await dashboard.world.person()
    const other = await dashboard.as(person)
    const { page } = await securityOf(person)
    await button(page, 'Sign out everywhere else').click()
    await expectAccessible(page, 'sessions-end')
    await button(dialog(page, 'Sign out everywhere else?'), 'Sign out everywhere else').click()
    await page.getByText('You are signed out everywhere else').waitFor()
    await expect.poll(() => rows(page, 'Open sessions').count()).toBe(1)
    await other.open('/account/security')
    await expectVisible(other.page.getByRole('heading', { name: 'Sign in' }))
  })

  test('says when it cannot be read, and tries again', async () => {
    const { page, open } = await dashboard.as(await dashboard.world.person())
    let isBroken = true
    await page.route(/sessions\.list/, route => (isBroken ? route.abort() : route.continue()))
    await open('/account/security')
    const retry = button(section(page, 'Open sessions'), 'Try again')
    await retry.waitFor()
    await expectAccessible(page, 'security-unreachable')
    isBroken = false
    await retry.click()
    await expectVisible(rows(page, 'Open sessions').first())
  })
})
