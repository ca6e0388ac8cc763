import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { THUMBNAILS } from '../../../routers/delivery/thumbnail.ts'
import { testPng } from '../../support/png.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

/** Creates a space with a picture, a stylesheet, a broken picture and a file with a long name. */
const withFiles = async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const png = await testPng({ width: 60, height: 40 })
  const picture = await owner.files.create({ subdomain, name: 'logo.png', content: png, encoding: 'base64' })
  const text = { subdomain, content: 'body { margin: 0 }', encoding: 'text' } as const
  const sheet = await owner.files.create({ ...text, name: 'site.css' })
  await owner.files.create({ ...text, name: `${'a-very-long-name-'.repeat(8)}.unknown` })
  await owner.files.create({ ...text, content: 'no picture', name: 'broken.jpg' })
  const window = await dashboard.as(owner)
  return { ...window, owner, subdomain, picture, sheet, path: `/spaces/${subdomain}/files` }
}

/** Returns the accessible name of the focused element. */
const focusedLabel = (page: Page) =>
  page.evaluate<string | null>("document.activeElement.getAttribute('aria-label')")

/** Returns a script that returns the natural width of the picture at a URL. */
const widthOf = (url: string) => `document.querySelector('img[src^="${url}"]')?.naturalWidth`

describe('the files of a space', () => {
  test('are an empty list at first, with a button that uploads the first file', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}/files`)
    await page.getByRole('heading', { name: 'Upload your first file' }).waitFor()
    await expectAccessible(page, 'files-empty')
  })

  test('show thumbnails, loaded from the files’ own origins', async () => {
    const { page, open, path, picture } = await withFiles()
    await open(path)
    const image = page.locator(`img[src^="${picture.url}"]`)
    await image.waitFor()
    await expect.poll(() => page.evaluate(widthOf(picture.url))).toBe(60)
    await expectAccessible(page, 'files-list')
    await page.locator('label', { hasText: 'Grid' }).click()
    await page.waitForURL(url => url.searchParams.get('layout') === 'grid')
    await expectAccessible(page, 'files-grid')
  })

  test('can be searched and sorted, and the address contains both settings', async () => {
    const { page, open, path } = await withFiles()
    await open(path)
    const names = () => page.getByRole('list', { name: 'Files' }).locator('a[target]').allInnerTexts()
    await page.getByLabel('Sort by').selectOption('name')
    await expect.poll(async () => (await names()).slice(1)).toEqual(['broken.jpg', 'logo.png', 'site.css'])
    await page.getByRole('searchbox', { name: 'Search files' }).fill('stylesheet')
    await expect.poll(names).toEqual(['site.css'])
    await page.reload()
    await expect.poll(names).toEqual(['site.css'])
    await page.getByRole('searchbox', { name: 'Search files' }).fill('nothing like it')
    await page.getByText('No file matches “nothing like it”.').waitFor()
    await expectAccessible(page, 'files-nothing-found')
  })
})

describe('the menu of a file', () => {
  test('copies snippets that work in a page', async () => {
    const { context, page, open, path, owner, subdomain, picture } = await withFiles()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open(path)
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
    await page.getByRole('button', { name: 'Copy address of logo.png' }).click()
    await expectNotice(page, 'Copied the address')
    expect(await clipboard()).toBe(picture.url)

    await page.getByRole('button', { name: 'More actions for logo.png' }).click()
    await page.getByRole('menuitem', { name: 'Copy as <img>' }).waitFor()
    await expectAccessible(page, 'files-menu')
    // At 360 px, the row whose menu is open can be outside the window, which hides the menu.
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('menuitem', { name: 'Copy as <img>' }).click()
    await expect.poll(clipboard).toBe(`<img src="${picture.url}" alt="">`)

    await page.getByRole('button', { name: 'More actions for logo.png' }).click()
    await page.getByRole('menuitem', { name: 'Copy as Liquid' }).click()
    await expect.poll(clipboard).toContain('{% assign')
    const html = await clipboard()
    const created = await owner.pages.create({ subdomain, slug: 'with-logo', kind: 'static', html })
    const reader = await context.newPage()
    await reader.goto(created.url)
    const shown = await reader.content()
    await reader.close()
    expect(shown).toContain(`<img src="${picture.url}" alt="">`)
  })

  test('renames the file, with a warning if its extension changes', async () => {
    const { page, open, path, owner, subdomain, sheet } = await withFiles()
    await open(path)
    await page.getByRole('button', { name: 'More actions for site.css' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('site.txt')
    await page.getByText('The new extension is .txt').waitFor()
    await expectAccessible(page, 'files-rename')
    await name.fill('..')
    await name.press('Enter')
    await page.getByText('Must not be "." or ".."').waitFor()
    await name.fill('main.css')
    await name.press('Enter')
    await page.getByRole('link', { name: 'main.css' }).waitFor()
    await expect.poll(() => focusedLabel(page)).toBe('More actions for main.css')
    await expect
      .poll(() => owner.files.get({ subdomain, file_id: sheet.id }))
      .toMatchObject({ name: 'main.css' })
  })

  test('keeps a typed name when someone else deletes the only file', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { id } = await owner.files.create({ subdomain, name: 'a.css', content: 'a', encoding: 'text' })
    const { page, open } = await dashboard.as(owner, { isLive: false })
    await open(`/spaces/${subdomain}/files`)
    await page.getByRole('button', { name: 'More actions for a.css' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const name = page.getByRole('dialog').getByLabel('Name')
    await name.fill('main.css')
    await owner.files.delete({ subdomain, file_id: id })
    await name.press('Enter')
    await page.getByText('Upload your first file').waitFor()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(await name.inputValue()).toBe('main.css')
  })

  test('replaces the content of the file and keeps its address', async () => {
    const { page, open, path, owner, subdomain, picture } = await withFiles()
    await open(path)
    await page.getByRole('button', { name: 'More actions for logo.png' }).click()
    await page.getByRole('menuitem', { name: 'Replace' }).click()
    await page.getByText('Browsers may show the old content for up to 5 minutes').waitFor()
    const other = Buffer.from(await testPng({ width: 200, height: 100 }), 'base64')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose a file' }).click()
    await (await chooser).setFiles({ name: 'other.svg', mimeType: 'image/png', buffer: other })
    await page
      .getByText('seems to be of a different type. Browsers go by the name, which stays logo.png.')
      .waitFor()
    await expectAccessible(page, 'files-replace')
    await page.getByRole('button', { name: 'Replace file' }).click()
    // The list shows a small version of the picture.
    await expect.poll(() => page.evaluate(widthOf(picture.url))).toBe(THUMBNAILS.small)
    const stored = await owner.files.get({ subdomain, file_id: picture.id })
    expect(stored).toMatchObject({ name: 'logo.png', size: other.length, url: picture.url })
  })

  test('deletes the file after listing the pages that use its address', async () => {
    const { page, open, path, owner, subdomain, sheet } = await withFiles()
    await owner.pages.create({ subdomain, slug: 'home', html: `<link href="${sheet.url}">` })
    await open(path)
    await page.getByRole('button', { name: 'More actions for site.css' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'home' }).waitFor()
    await expectAccessible(page, 'files-delete')
    await page.getByRole('button', { name: 'Delete file' }).click()
    await page.getByRole('link', { name: 'site.css' }).waitFor({ state: 'detached' })
    await expect.poll(() => focusedLabel(page)).toBe('Files')
    await expect
      .poll(async () => (await owner.files.list({ subdomain })).data.map(({ name }) => name))
      .not.toContain('site.css')
  })
})
