import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../db/id.ts'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'
import { expectNotice } from '../support/notices.ts'
import { BODY, useEditing } from '../support/unsaved.ts'

const dashboard = useDashboard()
const editing = useEditing(dashboard)

const list = () => editing.owner.previewLinks.list({ subdomain: editing.subdomain })
const linkIn = (page: Page) => page.getByRole('list', { name: 'Preview links' }).getByRole('listitem')

/** Opens an address without a session. Returns the text of the page. */
const textFor = async (url: string): Promise<string> => {
  const { page } = await dashboard.anonymous()
  await page.goto(url)
  const text = await page.locator('body').innerText()
  await page.context().close()
  return text
}

const openDialog = (page: Page) => page.getByRole('button', { name: 'Share a preview of this draft' }).click()

describe('a preview link', () => {
  test('is created in the editor, shows anyone the draft, and ends when it is revoked', async () => {
    const { id } = await editing.createPage()
    const page = await editing.open(`/pages/${id}`)
    await write(page, '<h2>Not public yet</h2>', BODY)
    await openDialog(page)
    await page.getByRole('button', { name: 'Create a link' }).click()
    await linkIn(page).getByText('Shows the draft. Created by you').waitFor()
    await expectAccessible(page, 'preview-links-dialog')
    const url = await linkIn(page).getByRole('link', { name: 'home' }).getAttribute('href')
    expect(await textFor(url!)).toBe('Not public yet')
    await page.getByRole('button', { name: 'Revoke the preview link to home' }).click()
    await page.getByRole('dialog', { name: 'Revoke preview link?' }).waitFor()
    await expectAccessible(page, 'preview-links-revoke')
    await page.getByRole('button', { name: 'Revoke preview link', exact: true }).click()
    await expectNotice(page, 'The preview link no longer works.')
    await expect.poll(() => linkIn(page).count()).toBe(0)
    await expectFocus(page, 'Create a link')
    expect(await textFor(url!)).toContain('There is nothing at this address')
    expect(await list()).toEqual([])
  })

  test('to a new page shows the page once it is created', async () => {
    await editing.createPage()
    const page = await editing.open('/new-page')
    await write(page, '<p>fresh</p>', BODY)
    await page.getByLabel('Slug').fill('fresh')
    await openDialog(page)
    await page.getByRole('button', { name: 'Create a link' }).click()
    await linkIn(page).getByText('Shows the draft.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Create page' }).click()
    await page.getByText('All changes saved').waitFor()
    await expect
      .poll(async () => (await list()).map(({ slug, shows }) => [slug, shows]))
      .toEqual([['fresh', 'saved']])
    expect(await textFor((await list())[0]!.url)).toBe('fresh')
  })
})

describe('the list of pages', () => {
  let thing: string

  beforeEach(async () => {
    await editing.createPage()
    thing = newId()
    const { owner, subdomain } = editing
    const fields = { slug: 'soon', kind: 'static' as const, html: 'x' }
    await owner.unsaved.keep({ subdomain, kind: 'page', thing, is_new: true, fields, base: null })
    await owner.previewLinks.create({ subdomain, thing })
  })

  test('shows every participant the links, which each of them can copy and revoke', async () => {
    const other = await editing.site.space.join()
    const page = await editing.open('/pages', other)
    await linkIn(page).getByText(`Created by ${editing.owner.handle}`).waitFor()
    await linkIn(page).getByRole('button', { name: 'Copy preview link to soon' }).waitFor()
    await expectAccessible(page, 'preview-links')
    await linkIn(page).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke preview link', exact: true }).click()
    await expect.poll(() => page.getByRole('heading', { name: 'Preview links' }).count()).toBe(0)
    expect(await list()).toEqual([])
  })

  test('shows three links at first, because the pages are below them', async () => {
    const { owner, subdomain } = editing
    for (let count = 1; count < 5; count++) await owner.previewLinks.create({ subdomain, thing })
    const page = await editing.open('/pages')
    await linkIn(page).first().waitFor()
    expect(await linkIn(page).count()).toBe(3)
    await expectAccessible(page, 'preview-links-many')
    await page.getByRole('button', { name: 'Show all 5 preview links' }).click()
    await expect.poll(() => linkIn(page).count()).toBe(5)
  })

  test('says so if someone else has revoked a link meanwhile', async () => {
    const page = await editing.open('/pages')
    await linkIn(page).getByRole('button', { name: 'Revoke' }).click()
    const [link] = await list()
    await editing.owner.previewLinks.revoke({ subdomain: editing.subdomain, link_id: link!.id })
    await page.getByRole('button', { name: 'Revoke preview link', exact: true }).click()
    await expectNotice(page, 'The preview link no longer works.')
    await expect.poll(() => linkIn(page).count()).toBe(0)
  })

  test('says that a link shows nothing any more once its draft is discarded', async () => {
    const { owner, subdomain } = editing
    await owner.unsaved.discard({ subdomain, kind: 'page', thing })
    const page = await editing.open('/pages')
    await linkIn(page).getByText('Shows nothing any more').waitFor()
    await expectAccessible(page, 'preview-links-empty')
  })
})
