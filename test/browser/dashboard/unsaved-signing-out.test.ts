import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PASSWORD, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'
import { BODY, confirmDiscard, isStored, text, useEditing } from '../support/unsaved.ts'

const dashboard = useDashboard()
const editing = useEditing(dashboard)

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
}

test("signing out deletes the browser's copy of a draft if the service has the draft too", async () => {
  const { id } = await editing.createPage()
  const page = await editing.open(`/pages/${id}`)
  await write(page, '<p>secret', BODY)
  await editing.isKept('page', id, 'secret')
  await isStored(page, '"isSent":true')
  await page.goto(`${dashboard.service.core.addresses.apiRoot}/admin/`)
  await signOut(page)
  await expect.poll(() => page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('secret')
})

test('a draft that was discarded while the service could not be reached stays discarded after signing out', async () => {
  const { id } = await editing.createPage()
  const page = await editing.open(`/pages/${id}`)
  await write(page, '<p>discarded', BODY)
  await editing.isKept('page', id, 'discarded')
  await isStored(page, '"isSent":true')
  await page.route(/unsaved\.discard/, route => route.abort().catch(() => {}))
  await page.goto(`${dashboard.service.core.addresses.apiRoot}/admin/spaces/${editing.subdomain}/pages/${id}`)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await confirmDiscard(page)
  await isStored(page, 'gone')
  await page.goto(`${dashboard.service.core.addresses.apiRoot}/admin/`)
  await signOut(page)
  await page.getByLabel('Handle').fill(editing.owner.handle)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Account menu' }).waitFor()
  await page.goto(`${dashboard.service.core.addresses.apiRoot}/admin/spaces/${editing.subdomain}/pages/${id}`)
  await text(page).getByText('<p>first</p>').waitFor()
  await expect
    .poll(
      async () =>
        (await editing.owner.unsaved.get({ subdomain: editing.subdomain, kind: 'page', thing: id })).draft,
    )
    .toBe(null)
})

test('signing out while an editor is open keeps the unsaved changes and opens the sign-in view', async () => {
  const { id } = await editing.createPage()
  const page = await editing.open(`/pages/${id}`)
  await page.getByLabel('Slug').fill('secret')
  await page.getByText('Unsaved changes').waitFor()
  await signOut(page)
  await editing.isKept('page', id, 'secret')
  await expect.poll(() => page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('secret')
})
