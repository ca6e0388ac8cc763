import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createSetUpLink } from '../../../routers/accounts/links/create.ts'
import { uniqueName } from '../../support/test-service.ts'
import {
  expectAccessible,
  expectFocus,
  PASSWORD,
  returnToTab,
  root,
  useDashboard,
} from '../support/dashboard.ts'
import {
  alert,
  button,
  expectPath,
  expectVisible,
  fillIn,
  heading,
  recoveryCodes,
} from '../support/locators.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()
const inviteOnly = useDashboard({ signUp: 'invite' })

/** Creates an invitation to a new space. */
const invitation = async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { url } = await owner.invites.create({ subdomain })
  return { owner, subdomain, url }
}

describe('the first account', () => {
  let link: string

  test('is created with the link that the service prints, and its owner is then signed in', async () => {
    const { page, open } = await inviteOnly.anonymous()
    await open('/sign-in')
    await page.getByText('No accounts yet').waitFor()
    await expectAccessible(page, 'sign-in-not-set-up')
    await open('/sign-up')
    await page.getByText('No accounts yet').waitFor()

    const { database, addresses } = inviteOnly.service.core
    link = (await createSetUpLink(database, addresses))!
    await page.goto(link)
    await heading(page, 'Create the first account').waitFor()
    await expectPath(page, '/set-up')
    await expectAccessible(page, 'set-up')
    await fillIn(page, { Handle: 'first', Password: PASSWORD })
    await button(page, 'Create account').click()
    await heading(page, 'Save your recovery codes').waitFor()
    expect(await recoveryCodes(page)).toHaveLength(10)
    await button(page, 'I have saved them').click()
    await page.getByRole('heading', { name: 'New space' }).waitFor()
    await expectPath(page, '/new-space')
  })

  test('cannot be created twice with the same link', async () => {
    const { page, open } = await inviteOnly.anonymous()
    await page.goto(link)
    await heading(page, 'This link no longer works').waitFor()
    await expectAccessible(page, 'link-invalid')
    await open('/sign-up')
    await page.getByText('You need an invitation').waitFor()
    await expectAccessible(page, 'sign-up-closed')
  })
})

describe('signing up', () => {
  test('shows the recovery codes once, with buttons to copy and download them', async () => {
    const { page, context, open } = await dashboard.anonymous()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: root(dashboard.service) })
    const handle = uniqueName('new')
    await open('/sign-in')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await heading(page, 'Create an account').waitFor()
    await page.locator('[name=handle]:focus').waitFor()
    await expectAccessible(page, 'sign-up')
    await fillIn(page, { Handle: handle, Password: PASSWORD })
    await button(page, 'Create account').click()
    await heading(page, 'Save your recovery codes').waitFor()
    await expectAccessible(page, 'recovery-codes')
    const codes = await recoveryCodes(page)

    await button(page, 'Copy recovery codes').click()
    await expectNotice(page, 'Copied recovery codes')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(codes.join('\n'))
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()])
    const saved = await readFile(await file.path(), 'utf8')
    expect(saved).toContain(`Recovery codes for ${handle}`)
    for (const code of codes) expect(saved).toContain(code)

    await button(page, 'I have saved them').click()
    await expectPath(page, '/new-space')
  })

  test('asks for confirmation if a person tries to leave before saving the recovery codes', async () => {
    const { page, open } = await dashboard.anonymous()
    await open('/sign-in')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await heading(page, 'Create an account').waitFor()
    await fillIn(page, { Handle: uniqueName('hasty'), Password: PASSWORD })
    await button(page, 'Create account').click()
    await heading(page, 'Save your recovery codes').waitFor()
    // The view begins to guard the codes when it moves the focus to their heading.
    await expectFocus(page, 'Save your recovery codes')
    await page.goBack()
    const dialog = page.getByRole('dialog', { name: 'Leave without the codes?' })
    await dialog.waitFor()
    await expectAccessible(page, 'recovery-codes-leaving')
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await expectPath(page, '/sign-up')
    expect(await recoveryCodes(page)).toHaveLength(10)
    await page.goBack()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await heading(page, 'Save your recovery codes').waitFor({ state: 'hidden' })
  })

  test('shows validation errors at the fields and focuses the first one', async () => {
    const { page, open } = await dashboard.anonymous()
    await dashboard.service.signUp('Taken1')
    await open('/sign-up')
    await fillIn(page, { Handle: 'a b', Password: 'short' })
    await button(page, 'Create account').click()
    await page.getByText('Must be 3 to 15 letters, digits, dots and underscores.').waitFor()
    await page.getByText('Must be 10 to 200 characters long.').waitFor()
    await expectAccessible(page, 'sign-up-errors')
    expect(await page.evaluate('document.activeElement.name')).toBe('handle')

    await fillIn(page, { Handle: 'tAKEN1', Password: PASSWORD })
    await expect.poll(() => page.getByText(/^Must be/).count()).toBe(0)
    await button(page, 'Create account').click()
    await page.getByText('This handle is taken. Choose another one.').waitFor()
    await expect.poll(() => alert(page).count()).toBe(0)
  })
})

describe('an invitation', () => {
  test('is accepted with one click by people who are signed in', async () => {
    const { subdomain, url } = await invitation()
    const { page } = await dashboard.as(await dashboard.service.signUp())
    await page.goto(url)
    await heading(page, `Join The ${subdomain}`).waitFor()
    await expectPath(page, '/join')
    await expectAccessible(page, 'join')
    await page.getByRole('button', { name: /^Join as/ }).click()
    await expectPath(page, `/spaces/${subdomain}`)
    await expectNotice(page, `You joined The ${subdomain}.`)
  })

  test('lets a new user create an account, and adds it to the space', async () => {
    const { owner, subdomain, url } = await invitation()
    const { page } = await dashboard.anonymous()
    const handle = uniqueName('guest')
    await page.goto(url)
    await page.getByText(`from ${owner.handle}`).waitFor()
    await expectPath(page, '/join')
    await expectAccessible(page, 'join-anonymous')
    await fillIn(page, { Handle: handle, Password: PASSWORD })
    await button(page, 'Create account and join').click()
    await heading(page, 'Save your recovery codes').waitFor()
    await button(page, 'I have saved them').click()
    await expectPath(page, `/spaces/${subdomain}`)
    await expect.poll(() => owner.participants.list({ subdomain })).toHaveLength(2)
  })

  test('keeps the form and then the recovery codes while a new user looks at another tab', async () => {
    const { subdomain, url } = await invitation()
    const { page } = await dashboard.anonymous()
    await page.goto(url)
    await fillIn(page, { Handle: uniqueName('guest') })
    await returnToTab(page)
    await fillIn(page, { Password: PASSWORD })
    await button(page, 'Create account and join').click()
    await heading(page, 'Save your recovery codes').waitFor()
    await returnToTab(page)
    // By the answer to this later request, one that returning had caused would have been answered, too.
    await page.evaluate("fetch('../trpc/accounts.me').then(response => response.text())")
    expect(await recoveryCodes(page)).toHaveLength(10)
    await button(page, 'I have saved them').click()
    await expectPath(page, `/spaces/${subdomain}`)
  })

  test('is shown again after a person has signed in to accept it', async () => {
    const { subdomain, url } = await invitation()
    const { handle } = await dashboard.service.signUp()
    const { page } = await dashboard.anonymous()
    await page.goto(url)
    await page.getByRole('link', { name: 'Sign in to join' }).click()
    await heading(page, 'Sign in').waitFor()
    await fillIn(page, { Handle: handle, Password: PASSWORD })
    await button(page, 'Sign in').click()
    await button(page, `Join as ${handle}`).click()
    await expectPath(page, `/spaces/${subdomain}`)
  })

  test('shows a link to the space if the person is already a participant', async () => {
    const { owner, subdomain, url } = await invitation()
    const { page } = await dashboard.as(owner)
    await page.goto(url)
    await page.getByRole('button', { name: /^Join as/ }).click()
    await alert(page).getByText('You are already a participant').waitFor()
    await page.getByRole('link', { name: `Go to The ${subdomain}` }).click()
    await expectPath(page, `/spaces/${subdomain}`)
  })

  test('works only once', async () => {
    const { url } = await invitation()
    const guest = await dashboard.service.signUp()
    await guest.invites.accept({ token: new URL(url).hash.slice(1) })
    const { page } = await dashboard.anonymous()
    await page.goto(url)
    await expectVisible(heading(page, 'This link no longer works'))
  })

  test('must be opened again after a reload, because its token is kept in memory only', async () => {
    const { url } = await invitation()
    const { page } = await dashboard.anonymous()
    await page.goto(url)
    await heading(page, /^Join/).waitFor()
    await page.reload()
    await heading(page, 'Open the link again').waitFor()
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(
      new URL(url).hash.slice(1),
    )
    await page.goto(url)
    await heading(page, /^Join/).waitFor()
  })
})
