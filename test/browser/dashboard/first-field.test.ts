import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

/** Waits until a text field has the focus. */
const expectFocusIn = (page: Page, label: string) =>
  page.getByRole('textbox', { name: label, exact: true }).and(page.locator(':focus')).waitFor()

test.each([
  ['page', '/new-page', 'Slug'],
  ['part', '/new-part', 'Name'],
  ['record', '/new-record', 'Key'],
])('the first field of a new %s has the focus', async (_what, path, label) => {
  const { page } = await dashboard.inSpace(await dashboard.service.createSpace(), path)
  await expectFocusIn(page, label)
})

test('the first field still has the focus when the view opens from a link', async () => {
  const { page } = await dashboard.inSpace(await dashboard.service.createSpace(), '/parts')
  await page.getByRole('link', { name: 'New part' }).first().click()
  await expectFocusIn(page, 'Name')
})

test('an existing page opens without a focused field', async () => {
  const space = await dashboard.service.createSpace()
  const { owner, subdomain } = space
  const { id } = await owner.pages.create({ subdomain, slug: 'about', html: 'x' })
  const { page } = await dashboard.inSpace(space, `/pages/${id}`)
  await page.getByRole('textbox', { name: 'Slug', exact: true }).waitFor()
  expect(await page.locator('input:focus').count()).toBe(0)
})

test('on a touch screen, no field has the focus, so that the keyboard does not cover the view', async () => {
  const space = await dashboard.service.createSpace()
  const { page } = await dashboard.inSpace(space, '/new-page', { width: 360, isTouch: true })
  await page.getByRole('textbox', { name: 'Slug', exact: true }).waitFor()
  expect(await page.locator('input:focus').count()).toBe(0)
})
