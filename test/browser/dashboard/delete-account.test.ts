import { describe, expect, test } from 'vitest'
import { failure } from '../../support/problems.ts'
import { uniqueName } from '../../support/world.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

/** Somebody who takes part in a space with another person. */
const participant = async () => {
  const { owner, subdomain } = await dashboard.world.space()
  const person = await dashboard.world.person()
  const { url } = await owner.invites.create({ subdomain })
  await person.invites.accept({ token: new URL(url).hash.slice(1) })
  return { person, subdomain }
}

describe('deleting the account', () => {
  test('shows what goes, what stops and what stays, wants the handle typed, and ends with a farewell', async () => {
    const { person, subdomain } = await participant()
    await person.posts.create({ html: 'x' })
    await person.keys.issue({ subdomain, label: 'Nightly build', scopes: ['pages'] })
    const { page, open } = await dashboard.as(person)
    await open('/account')
    await page.getByRole('link', { name: 'Delete the account' }).click()
    await page.getByRole('heading', { name: 'Stops working' }).waitFor()
    await page.getByText('1 post, drafts included').waitFor()
    await page.getByText('Nightly build').waitFor()
    await page.getByText(`The ${subdomain}, with its pages`).waitFor()
    await expectAccessible(page, 'delete-account')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account for good?' })
    const confirm = dialog.getByRole('button', { name: 'Delete my account' })
    await confirm.waitFor()
    await expectAccessible(page, 'delete-account-confirm')
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill(person.handle)
    await confirm.click()
    await page.getByRole('heading', { name: 'Goodbye' }).waitFor()
    await page.getByText(`The account @${person.handle} is gone`).waitFor()
    await expectAccessible(page, 'farewell')
    expect((await person.api.get('/me')).status).toBe(401)
    await open('/account')
    await page.waitForURL(url => url.pathname === '/admin/sign-in')
  })

  test('is refused while a space would be left with nobody, and leads to that space', async () => {
    const person = await dashboard.world.person()
    const subdomain = uniqueName('alone')
    await person.spaces.create({ subdomain, name: 'My garden' })
    const { page, open } = await dashboard.as(person)
    await open('/account/delete')
    await page.getByText('One space would be left with nobody').waitFor()
    expect(await page.getByRole('button', { name: 'Delete my account' }).count()).toBe(0)
    await expectAccessible(page, 'delete-account-refused')
    await page.getByRole('link', { name: `invite somebody to ${subdomain}` }).click()
    await page.waitForURL(url => url.pathname === `/admin/spaces/${subdomain}/participants`)
  })

  test('shows what has come in the way after it was opened', async () => {
    const person = await dashboard.world.person()
    const { page, open } = await dashboard.as(person)
    await open('/account/delete')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await person.spaces.create({ subdomain: uniqueName('late'), name: 'Late' })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill(person.handle)
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByText('One space would be left with nobody').waitFor()
    expect(await failure(person.accounts.me())).toBeUndefined()
  })
})

test('nobody is told farewell who has not left', async () => {
  const { page, open } = await dashboard.as(await dashboard.world.person())
  await open('/account-deleted')
  await page.waitForURL(url => url.pathname === '/admin/')
  expect(await page.getByText('Goodbye').count()).toBe(0)
})
