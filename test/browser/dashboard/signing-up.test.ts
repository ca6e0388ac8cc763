import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { makeSetUpLink } from '../../../routers/accounts/links/make.ts'
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
const closed = useDashboard({ signUp: 'invite' })

/** An invitation to a new space. */
const invitation = async () => {
  const { owner, subdomain } = await open.world.space()
  const { url } = await owner.invites.create({ subdomain })
  return { owner, subdomain, url }
}

describe('the first account', () => {
  test('is made with the link that the start prints, and is in at once', async () => {
    const { page, open: go } = await closed.anonymous()
    await go('/sign-in')
    await page.getByText('Nobody has an account yet').waitFor()
    await expectAccessible(page, 'sign-in-not-set-up')
    await go('/sign-up')
    await page.getByText('Nobody has an account yet').waitFor()

    const { orm, addresses } = closed.world.service.core
    await page.goto((await makeSetUpLink(orm, addresses))!)
    await heading(page, 'Make the first account').waitFor()
    await expectPath(page, '/set-up')
    await expectAccessible(page, 'set-up')
    await fillIn(page, { Handle: 'first', Password: PASSWORD })
    await button(page, 'Make my account').click()
    await heading(page, 'Save your recovery codes').waitFor()
    expect(await recoveryCodes(page)).toHaveLength(10)
    await button(page, 'I have saved them').click()
    await page.getByRole('heading', { name: 'Make your first space' }).waitFor()
    await expectPath(page, '/')
  })

  test('cannot be made again with the link', async () => {
    const { page, open: go } = await closed.anonymous()
    await go('/set-up#used')
    await heading(page, 'This link does not open').waitFor()
    await expectAccessible(page, 'link-gone')
    await go('/sign-up')
    await page.getByText('Accounts are made by invitation here').waitFor()
    await expectAccessible(page, 'sign-up-closed')
  })
})

describe('signing up', () => {
  test('shows the recovery codes once, to be copied and downloaded', async () => {
    const { page, context, open: go } = await open.anonymous()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: root(open.world) })
    const handle = uniqueName('new')
    await go('/sign-in')
    await page.getByRole('link', { name: 'Make an account' }).click()
    await heading(page, 'Make an account').waitFor()
    await expectAccessible(page, 'sign-up')
    await fillIn(page, { Handle: handle, Password: PASSWORD })
    await button(page, 'Make an account').click()
    await heading(page, 'Save your recovery codes').waitFor()
    await expectAccessible(page, 'recovery-codes')
    const codes = await recoveryCodes(page)

    await button(page, 'Copy recovery codes').click()
    await page.getByText('Copied recovery codes').waitFor({ state: 'attached' })
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(codes.join('\n'))
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()])
    const saved = await readFile(await file.path(), 'utf8')
    expect(saved).toContain(`Recovery codes for ${handle}`)
    for (const code of codes) expect(saved).toContain(code)

    await button(page, 'I have saved them').click()
    await expectPath(page, '/')
  })

  test('asks before the codes are left behind', async () => {
    const { page, open: go } = await open.anonymous()
    await go('/sign-in')
    await page.getByRole('link', { name: 'Make an account' }).click()
    await heading(page, 'Make an account').waitFor()
    await fillIn(page, { Handle: uniqueName('hasty'), Password: PASSWORD })
    await button(page, 'Make an account').click()
    await heading(page, 'Save your recovery codes').waitFor()
    await page.goBack()
    const question = page.getByRole('dialog', { name: 'Leave without the codes?' })
    await question.waitFor()
    await expectAccessible(page, 'recovery-codes-leaving')
    await question.getByRole('button', { name: 'Stay' }).click()
    await expectPath(page, '/sign-up')
    expect(await recoveryCodes(page)).toHaveLength(10)
    await page.goBack()
    await question.getByRole('button', { name: 'Leave' }).click()
    await heading(page, 'Save your recovery codes').waitFor({ state: 'hidden' })
  })

  test('says at the field what is wrong, and goes there', async () => {
    const { page, open: go } = await open.anonymous()
    await open.world.person('Taken1')
    await go('/sign-up')
    await fillIn(page, { Handle: 'a b', Password: 'short' })
    await button(page, 'Make an account').click()
    await page.getByText('Must be 3 to 15 letters, digits, dots and underscores.').waitFor()
    await page.getByText('Must be 10 to 200 characters long.').waitFor()
    await expectAccessible(page, 'sign-up-errors')
    expect(await page.evaluate('document.activeElement.name')).toBe('handle')

    await fillIn(page, { Handle: 'tAKEN1', Password: PASSWORD })
    await button(page, 'Make an account').click()
    await page.getByText('Somebody else has this handle. Choose another one.').waitFor()
    expect(await alert(page).count()).toBe(0)
  })
})

describe('an invitation', () => {
  test('is one click for somebody who is signed in', async () => {
    const { subdomain, url } = await invitation()
    const { page } = await open.as(await open.world.person())
    await page.goto(url)
    await heading(page, `Join The ${subdomain}`).waitFor()
    await expectPath(page, '/join')
    await expectAccessible(page, 'join')
    await page.getByRole('button', { name: /^Join as/ }).click()
    await expectPath(page, `/spaces/${subdomain}`)
    await page.getByText(`You take part in The ${subdomain} now`).waitFor()
  })

  test('makes an account for a newcomer, who is in the space at once', async () => {
    const { owner, subdomain, url } = await invitation()
    const { page } = await open.anonymous()
    const handle = uniqueName('guest')
    await page.goto(url)
    await page.getByText(`${owner.handle} invites you`).waitFor()
    await expectPath(page, '/join')
    await expectAccessible(page, 'join-anonymous')
    await fillIn(page, { Handle: handle, Password: PASSWORD })
    await button(page, 'Make an account and join').click()
    await heading(page, 'Save your recovery codes').waitFor()
    await button(page, 'I have saved them').click()
    await expectPath(page, `/spaces/${subdomain}`)
    expect(await owner.participants.list({ subdomain })).toHaveLength(2)
  })

  test('waits for somebody who signs in first', async () => {
    const { subdomain, url } = await invitation()
    const { handle } = await open.world.person()
    const { page } = await open.anonymous()
    await page.goto(url)
    await page.getByRole('link', { name: 'Sign in to join' }).click()
    await heading(page, 'Sign in').waitFor()
    await fillIn(page, { Handle: handle, Password: PASSWORD })
    await button(page, 'Sign in').click()
    await button(page, `Join as ${handle}`).click()
    await expectPath(page, `/spaces/${subdomain}`)
  })

  test('to a space that one is in leads there', async () => {
    const { owner, subdomain, url } = await invitation()
    const { page } = await open.as(owner)
    await page.goto(url)
    await page.getByRole('button', { name: /^Join as/ }).click()
    await alert(page).getByText('You are already a participant').waitFor()
    await page.getByRole('link', { name: `Go to The ${subdomain}` }).click()
    await expectPath(page, `/spaces/${subdomain}`)
  })

  test('that was used says so', async () => {
    const { url } = await invitation()
    const guest = await open.world.person()
    await guest.invites.accept({ token: new URL(url).hash.slice(1) })
    const { page } = await open.anonymous()
    await page.goto(url)
    await expectVisible(heading(page, 'This link does not open'))
  })

  test('is to be opened once more after a reload, as its secret is in memory alone', async () => {
    const { url } = await invitation()
    const { page } = await open.anonymous()
    await page.goto(url)
    await heading(page, /^Join/).waitFor()
    await page.reload()
    await heading(page, 'Open the link once more').waitFor()
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(
      new URL(url).hash.slice(1),
    )
    await page.goto(url)
    await heading(page, /^Join/).waitFor()
  })
})
