import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.world)
})

const open = async (path: string, look?: Parameters<typeof dashboard.as>[1]) => {
  const window = await dashboard.as(site.space.owner, look)
  await window.open(`/spaces/${site.space.subdomain}${path}`)
  return window
}

/** As `expectAccessible`, and wide again after it, so that the preview is beside the editor. */
const expectWell = async (page: Page, name: string) => {
  await expectAccessible(page, name)
  await page.setViewportSize({ width: 1280, height: 800 })
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Text of the page' })

/** The document that the preview shows, however deep in frames. */
const picture = (page: Page) => page.frameLocator('iframe[title^="Preview of"]:not([aria-hidden])')

const write = async (page: Page, words: string) => {
  await text(page).click()
  await page.keyboard.press('Control+a')
  // Over a selection the browser itself would try to keep the colours of what it replaces.
  await page.keyboard.press('Backspace')
  await page.keyboard.insertText(words)
}

describe('the list of pages', () => {
  test('begins with examples', async () => {
    const { page } = await open('/pages')
    await page.getByRole('heading', { name: 'Write the first page' }).waitFor()
    await expectWell(page, 'pages-empty')
    await page.getByRole('link', { name: 'Begin with a welcome page' }).click()
    await picture(page)
      .frameLocator('iframe')
      .getByRole('heading', { name: `Welcome to The ${site.space.subdomain}` })
      .waitFor()
    expect(await page.getByLabel('Slug').inputValue()).toBe('index')
  })

  test('is searched, and leads to each page and its address', async () => {
    for (const slug of ['apples', 'pears']) await site.page(slug, 'x')
    const { page } = await open('/pages')
    await page.getByRole('link', { name: 'pears', exact: true }).waitFor()
    await expectWell(page, 'pages')
    await page.getByRole('searchbox', { name: 'Search pages' }).fill('app')
    await page.getByText('1 of 2 pages').waitFor()
    expect(await page.getByRole('link', { name: 'pears', exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'apples', exact: true }).click()
    await page.getByRole('heading', { name: 'apples' }).waitFor()
  })
})

describe('writing a page', () => {
  test('shows what it comes to while one writes, and saves with Ctrl+S', async () => {
    await site.data('event', { title: 'Harvest' })
    const { page } = await open('/new-page')
    await page.getByLabel('Slug').fill('home')
    await write(page, '<h1>{{ data.event.title }}</h1>')
    await picture(page).getByRole('heading', { name: 'Harvest' }).waitFor()
    await expectWell(page, 'page-new')
    await text(page).press('Control+s')
    await page.waitForURL(/\/pages\/[2-9a-z]{16}$/)
    await page.getByText('All changes saved').waitFor()
    expect((await site.open('/home')).text).toContain('<iframe')
    await expectWell(page, 'page')
    await write(page, '<h1>Feast</h1>')
    await page.getByText('Unsaved changes').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('All changes saved').waitFor()
    const { data } = (await site.space.api.get<{ data: { id: string }[] }>('/pages')).body
    const stored = await site.space.api.get<{ html: string }>(`/pages/${data[0]?.id}`)
    expect(stored.body.html).toBe('<h1>Feast</h1>')
  })

  test('tells a mistake at its line, and keeps the last working state', async () => {
    const made = await site.page('home', '<h1>Fine</h1>', 'scripted')
    const { page } = await open(`/pages/${made.id}`)
    await picture(page).getByRole('heading', { name: 'Fine' }).waitFor()
    await write(page, '<h1>Broken</h1>\n{% if true %}\n<p>never ended</p>')
    await page.getByText('There is a mistake in the template').waitFor()
    await page.locator('.cm-lint-marker-error').waitFor()
    await expectWell(page, 'page-mistake')
    expect(await picture(page).getByRole('heading', { name: 'Fine' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Page, line 2, column 1' }).click()
    await page.keyboard.type('X')
    expect(await text(page).locator('.cm-line').nth(1).innerText()).toBe('X{% if true %}')
  })

  test('asks before what is unsaved is left', async () => {
    const made = await site.page('home', 'x')
    const { page } = await open(`/pages/${made.id}`)
    await write(page, 'changed')
    await page.getByRole('link', { name: 'Parts' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    expect(await text(page).innerText()).toContain('changed')
  })

  test('tells a slug that is taken, reserved or wrong at the field, and loses nothing', async () => {
    await site.page('taken', 'x')
    const { page } = await open('/new-page')
    for (const [slug, words] of [
      ['taken', 'Another page has this slug'],
      ['articles', 'Is a path that the site itself uses'],
      ['No Slug', 'Must be 1 to 60'],
    ] as const) {
      await page.getByLabel('Slug').fill(slug)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(words).waitFor()
    }
    await expectWell(page, 'page-refused')
    expect(await text(page).innerText()).toContain('{{ space.name }}')
  })

  test('says by how much it is too long', async () => {
    const made = await site.page('home', 'x')
    const { page } = await open(`/pages/${made.id}`)
    await write(page, 'x'.repeat(262_150))
    await page.getByText('This is 6 characters too long').waitFor()
    expect(await text(page).getAttribute('aria-invalid')).toBe('true')
  })
})

test('deleting a page asks first', async () => {
  const made = await site.page('home', 'x')
  const { page } = await open(`/pages/${made.id}`)
  await page.getByRole('button', { name: 'Delete this page' }).click()
  await page.getByRole('dialog', { name: 'Delete home?' }).waitFor()
  await expectWell(page, 'page-delete')
  await page.getByRole('button', { name: 'Delete page' }).click()
  await page.getByRole('heading', { name: 'Write the first page' }).waitFor()
  expect((await site.open('/home')).status).toBe(404)
})
