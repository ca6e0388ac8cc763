import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'
import { expectShown } from '../support/page-preview.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.service)
})

const open = (path: string, look?: Parameters<typeof dashboard.as>[1]) =>
  dashboard.inSpace(site.space, path, look)

/** Calls `expectAccessible`, then makes the window wide again, so that the preview is beside the editor. */
const expectAccessibleWide = async (page: Page, name: string) => {
  await expectAccessible(page, name)
  await page.setViewportSize({ width: 1280, height: 800 })
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Page body' })

/** Returns the document in the preview. */
const preview = (page: Page) => page.frameLocator('iframe[title^="Preview of"]:not([aria-hidden])')

const write = async (page: Page, content: string) => {
  await text(page).click()
  await page.keyboard.press('Control+a')
  // Delete the selection first. If text is inserted over highlighted text, Chromium adds a style attribute, and the
  // security policy blocks this attribute.
  await page.keyboard.press('Backspace')
  await page.keyboard.insertText(content)
}

describe('the list of pages', () => {
  test('offers examples while it is empty', async () => {
    const { page } = await open('/pages')
    await page.getByRole('heading', { name: 'Create your first page' }).waitFor()
    await expectAccessibleWide(page, 'pages-empty')
    await page.getByRole('link', { name: 'Start with a welcome page' }).click()
    await expectShown(
      preview(page)
        .frameLocator('iframe')
        .getByRole('heading', { name: `Welcome to The ${site.space.subdomain}` }),
    )
    await expect.poll(() => page.getByLabel('Slug').inputValue()).toBe('index')
  })

  test('can be searched and links to each page', async () => {
    for (const slug of ['apples', 'pears']) await site.page(slug, 'x')
    const { page } = await open('/pages')
    await page.getByRole('link', { name: 'pears', exact: true }).waitFor()
    await expectAccessibleWide(page, 'pages')
    await page.getByRole('searchbox', { name: 'Search pages' }).fill('app')
    await page.getByText('1 of 2 pages').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'pears', exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'apples', exact: true }).click()
    await page.getByRole('heading', { name: 'apples' }).waitFor()
  })

  test('shows the title of each page, and can be searched by title', async () => {
    await site.page('index', '<title>{{ space.name }}: all about apples and pears</title><p>x</p>')
    await site.page('plain', '<p>x</p>')
    const { page } = await open('/pages')
    await page
      .getByRole('list', { name: 'Pages' })
      .getByText(`The ${site.space.subdomain}: all about apples`)
      .waitFor()
    await expectAccessibleWide(page, 'pages-titles')
    await page.getByRole('searchbox', { name: 'Search pages' }).fill('About Apples')
    await page.getByText('1 of 2 pages').waitFor()
  })

  test('opens a page on a click beside its slug, but not on a click on a button in its row', async () => {
    await site.page('apples', 'x')
    const { context, page } = await open('/pages')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const row = page.getByRole('list', { name: 'Pages' }).getByRole('listitem')
    await row.getByRole('button', { name: 'Copy address of apples' }).click()
    await expectNotice(page, 'Copied address of apples')
    expect(new URL(page.url()).pathname).toMatch(/\/pages$/)
    await row.click({ position: { x: 4, y: 4 } })
    await page.getByRole('heading', { level: 1, name: 'apples' }).waitFor()
  })

  test('begins with the home page, and can be sorted', async () => {
    await site.page('apples', '<title>Zebra</title>', 'static')
    await site.page('index', '<title>Home</title>', 'static')
    await site.page('pears', '<title>Ant</title>', 'static')
    await site.page('cherries', '<p>x</p>', 'static')
    const { page } = await open('/pages')
    const order = () =>
      page
        .getByRole('list', { name: 'Pages' })
        .getByRole('listitem')
        .getByRole('link')
        .and(page.locator('[href*="/pages/"]'))
        .allInnerTexts()
    await expect.poll(order).toEqual(['index', 'apples', 'cherries', 'pears'])
    const sort = page.getByRole('combobox', { name: 'Sort by' })
    await page.getByText('Zebra').waitFor()
    await sort.selectOption('By title')
    await expect.poll(order).toEqual(['index', 'pears', 'apples', 'cherries'])
    await sort.selectOption('Newest first')
    await expect.poll(order).toEqual(['index', 'cherries', 'pears', 'apples'])
    await page.reload()
    await expect.poll(order).toEqual(['index', 'cherries', 'pears', 'apples'])
    await sort.selectOption('By slug')
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  test('marks the pages that show visitors an error', async () => {
    await site.page('broken', '{% if %}', 'static')
    await site.page('fine', '<title>Fine</title>', 'static')
    const { page } = await open('/pages')
    const marked = page.getByRole('listitem').filter({ hasText: 'Visitors see an error' })
    await marked.getByRole('link', { name: 'broken', exact: true }).waitFor()
    expect(await marked.count()).toBe(1)
    await expectAccessibleWide(page, 'pages-failing')
  })

  test('shows the slugs if the titles cannot be read', async () => {
    await site.page('index', '<title>Home</title><p>x</p>')
    const { page, open: openView } = await dashboard.as(site.space.owner)
    let refused = 0
    await page.route(/delivery\.pageTitles/, async route => {
      refused += 1
      // Aborting fails if the window closes meanwhile.
      await route.abort().catch(() => {})
    })
    await openView(`/spaces/${site.space.subdomain}/pages`)
    // The dashboard gives up after the third attempt.
    await expect.poll(() => refused).toBeGreaterThanOrEqual(3)
    await page.getByRole('link', { name: 'index', exact: true }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

describe('editing a page', () => {
  test('updates the preview while you type, and saves with Ctrl+S', async () => {
    await site.data('event', { title: 'Harvest' })
    const { page } = await open('/new-page')
    await page.getByLabel('Slug').fill('home')
    await write(page, '<h1>{{ data.event.title }}</h1>')
    await expectShown(preview(page).getByRole('heading', { name: 'Harvest' }))
    await expectAccessibleWide(page, 'page-new')
    await text(page).press('Control+s')
    await page.waitForURL(/\/pages\/[2-9a-z]{16}$/)
    await page.getByText('All changes saved').waitFor()
    await expect.poll(async () => (await site.open('/home')).text).toContain('<iframe')
    await expectAccessibleWide(page, 'page')
    await write(page, '<h1>Feast</h1>')
    await page.getByText('Unsaved changes').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('All changes saved').waitFor()
    const { data } = (await site.space.api.get<{ data: { id: string }[] }>('/pages')).body
    const stored = await site.space.api.get<{ html: string }>(`/pages/${data[0]?.id}`)
    expect(stored.body.html).toBe('<h1>Feast</h1>')
  })

  test('marks a template error at its line, and keeps the last working preview', async () => {
    const created = await site.page('home', '<h1>Fine</h1>', 'scripted')
    const { page } = await open(`/pages/${created.id}`)
    await expectShown(preview(page).getByRole('heading', { name: 'Fine' }))
    // Replace the text in one step. `write` would empty it first, and the preview could show the empty text.
    await text(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('\n{% if true %}\n<p>never ended</p>')
    await page.getByText('The template has an error').waitFor()
    await page.locator('.cm-lint-marker-error').waitFor()
    await expectAccessibleWide(page, 'page-mistake')
    await expect.poll(() => preview(page).getByRole('heading', { name: 'Fine' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Page, line 2, column 1' }).click()
    await text(page).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('X')
    await expect.poll(() => text(page).locator('.cm-line').nth(1).innerText()).toBe('X{% if true %}')
  })

  test('wraps a long source line in the error panel', async () => {
    const created = await site.page('home', 'x', 'scripted')
    const { page } = await open(`/pages/${created.id}`)
    await write(page, `<p>${'long '.repeat(100)}</p>{% render "missing" %}`)
    await page.getByText('A part is missing').waitFor()
    await expectAccessibleWide(page, 'page-long-line')
    const excerpt = page.locator('pre').filter({ hasText: '{% render "missing" %}' })
    await excerpt.waitFor()
    const hidden = 'document.querySelector("pre").scrollWidth - document.querySelector("pre").clientWidth'
    await expect.poll(() => page.evaluate<number>(hidden)).toBe(0)
  })

  test('asks for confirmation before unsaved changes are lost', async () => {
    const created = await site.page('home', 'x')
    const { page } = await open(`/pages/${created.id}`)
    await write(page, 'changed')
    await page.getByText('Unsaved changes').waitFor()
    await page.getByRole('link', { name: 'Parts' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await expect.poll(() => text(page).innerText()).toContain('changed')
  })

  test('shows an error for a taken, reserved or invalid slug, and keeps the text', async () => {
    await site.page('taken', 'x')
    const { page } = await open('/new-page')
    for (const [slug, message] of [
      ['taken', 'Another page has this slug'],
      ['articles', 'Is reserved for the site itself'],
      ['No Slug', 'Must be 1 to 60'],
    ] as const) {
      await page.getByLabel('Slug').fill(slug)
      // The message about a taken slug can be there before the answer, and nothing is saved before the answer.
      const answer = page.waitForResponse(response => response.url().includes('pages.create'))
      await page.getByRole('button', { name: 'Create page' }).click()
      await answer
      await page.getByText(message).waitFor()
    }
    await expectAccessibleWide(page, 'page-refused')
    await expect.poll(() => text(page).innerText()).toContain('{{ space.name }}')
  })

  test('says by how many characters the body is too long', async () => {
    const created = await site.page('home', 'x')
    const { page } = await open(`/pages/${created.id}`)
    await write(page, 'x'.repeat(262_150))
    await page.getByText('This is 6 characters too long').waitFor()
    await expect.poll(() => text(page).getAttribute('aria-invalid')).toBe('true')
  })
})

test('a page is deleted only after a confirmation', async () => {
  const created = await site.page('home', 'x')
  const { page } = await open(`/pages/${created.id}`)
  await page.getByRole('button', { name: 'Delete this page' }).click()
  await page.getByRole('dialog', { name: 'Delete home?' }).waitFor()
  await expectAccessibleWide(page, 'page-delete')
  await page.getByRole('button', { name: 'Delete page' }).click()
  await page.getByRole('heading', { name: 'Create your first page' }).waitFor()
  await expect.poll(async () => (await site.open('/home')).status).toBe(404)
})

test('a deletion in progress cannot be cancelled', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { id } = await owner.pages.create({ subdomain, slug: 'old', kind: 'static', html: '<p>x' })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/pages/${id}`)
  const released = Promise.withResolvers<void>()
  await page.route('**/trpc/pages.delete*', async route => {
    await released.promise
    await route.fallback()
  })
  await page.getByRole('button', { name: 'Delete this page' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete old?' })
  await dialog.getByRole('button', { name: 'Delete page' }).click()
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
  await page.mouse.click(5, 5)
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog.isVisible()).toBe(true)
  released.resolve()
  await page.waitForURL(url => url.pathname === `/admin/spaces/${subdomain}/pages`)
})
