import { describe, expect, test } from 'vitest'
import { errorCodeOf } from '../../support/problems.ts'
import { uniqueName } from '../../support/test-service.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

/** Creates a person who shares a space with another participant. */
const participant = async () => {
  const { owner, subdomain, join } = await dashboard.service.createSpace()
  return { owner, person: await join(), subdomain }
}

describe('deleting an account', () => {
  test('shows the consequences, asks for the handle and confirms the deletion', async () => {
    const { person, subdomain } = await participant()
    await person.posts.create({ html: 'x' })
    await person.keys.issue({ subdomain, label: 'Nightly build', scopes: ['pages'] })
    const { page, open } = await dashboard.as(person)
    await open('/account')
    await page.getByRole('link', { name: 'Delete account' }).click()
    await page.getByRole('heading', { name: 'What will stop working' }).waitFor()
    await page.getByText('1 post, including drafts').waitFor()
    await page.getByText('Nightly build').waitFor()
    await page.getByText(`The ${subdomain}, with its pages`).waitFor()
    await expectAccessible(page, 'delete-account')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account permanently?' })
    const confirm = dialog.getByRole('button', { name: 'Delete account' })
    await confirm.waitFor()
    await expectAccessible(page, 'delete-account-confirm')
    await expect.poll(() => confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill(person.handle)
    await confirm.click()
    await page.getByRole('heading', { name: 'Account deleted' }).waitFor()
    await page.getByText(`The account @${person.handle} has been deleted`).waitFor()
    await expectAccessible(page, 'account-deleted')
    expect((await person.api.get('/me')).status).toBe(401)
    await open('/account')
    await page.waitForURL(url => url.pathname === '/admin/sign-in')
  })

  test('is blocked while the person is the only participant of a space', async () => {
    const person = await dashboard.service.signUp()
    const subdomain = uniqueName('alone')
    await person.spaces.create({ subdomain, name: 'My garden' })
    const { page, open } = await dashboard.as(person)
    await open('/account/delete')
    await page.getByText('You are the only participant of a space').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Delete account' }).count()).toBe(0)
    await expectAccessible(page, 'delete-account-refused')
    await page.getByRole('link', { name: `invite someone to ${subdomain}` }).click()
    await page.waitForURL(url => url.pathname === `/admin/spaces/${subdomain}/participants`)
  })

  test('is blocked by a space that the person created after opening the view', async () => {
    const person = await dashboard.service.signUp()
    const { page, open } = await dashboard.as(person)
    await open('/account/delete')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await person.spaces.create({ subdomain: uniqueName('late'), name: 'Late' })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill(person.handle)
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await page.getByText('You are the only participant of a space').waitFor()
    expect(await errorCodeOf(person.accounts.me())).toBeUndefined()
  })
})

test.each([
  ['history', '/history', 'Changes', 'Record created'],
  ['audit log', '/audit', 'Events', 'Key issued'],
])('the %s of a space shows a deleted account as “a former participant”', async (_, path, list, event) => {
  const { owner, person, subdomain } = await participant()
  await person.data.put({ subdomain, key: 'events', value: [] })
  await person.keys.issue({ subdomain, label: 'Nightly build', scopes: ['pages'] })
  await person.accounts.delete({ confirm: person.handle })
  const { page } = await dashboard.inSpace({ owner, subdomain }, path)
  const row = page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: event })
  await row.getByText('a former participant').waitFor()
  expect(await page.getByText(person.handle).count()).toBe(0)
  expect(await page.getByText('Nightly build').count()).toBe(0)
})

test('the page that confirms a deletion cannot be opened directly', async () => {
  const { page, open } = await dashboard.as(await dashboard.service.signUp())
  await open('/account-deleted')
  await page.waitForURL(url => url.pathname === '/admin/')
  await expect.poll(() => page.getByText('Account deleted').count()).toBe(0)
})
