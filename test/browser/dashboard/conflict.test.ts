import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { write as writeIn } from '../support/editor.ts'

const dashboard = useDashboard()
let site: TestSite
let created: { id: string }

beforeEach(async () => {
  site = await newSite(dashboard.service)
  created = await site.page('home', '<h1>Garden</h1>\n<p>Open on Monday</p>\n<p>Free entry</p>')
})

const edit = async () => {
  const window = await dashboard.inSpace(site.space, `/pages/${created.id}`)
  await text(window.page).waitFor()
  return window
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Page body' })

const write = (page: Page, content: string) => writeIn(page, content, 'Page body')

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

const THEIRS = '<h1>Garden</h1>\n<p>Open on Tuesday</p>\n<p>Free entry</p>'
const MINE = '<h1>Garden</h1>\n<p>Open on Monday</p>\n<p>Two euros</p>'

const stored = async () =>
  (await site.space.api.get<{ html: string; slug: string; kind: string }>(`/pages/${created.id}`)).body

/**
 * Opens the same page in two windows, mine and theirs, and changes it in both. Saves in their window first, then in
 * mine. Returns my window, which shows the conflict.
 */
const collide = async () => {
  const mine = await edit()
  await write(mine.page, MINE)
  const theirs = await edit()
  await write(theirs.page, THEIRS)
  await save(theirs.page)
  await theirs.page.getByText('All changes saved').waitFor()
  await save(mine.page)
  await mine.page.getByText('You changed this page in another window').waitFor()
  await mine.page.getByRole('textbox', { name: 'Your version' }).waitFor()
  return mine
}

describe('two people editing the same page', () => {
  test('see both versions, and nothing is overwritten until one person decides', async () => {
    const { page } = await collide()
    await expectAccessible(page, 'conflict')
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Their version' }).innerText())
      .toContain('Tuesday')
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Your version' }).innerText())
      .toContain('Two euros')
    await expect.poll(async () => (await stored()).html).toBe(THEIRS)
  })

  test('can switch to the version of the other person', async () => {
    const { page } = await collide()
    await page.getByRole('button', { name: 'Use their version' }).click()
    await page.getByText('All changes saved').waitFor()
    await expect.poll(() => text(page).innerText()).toContain('Tuesday')
    await expect.poll(async () => (await stored()).html).toBe(THEIRS)
  })

  test('can save their own version', async () => {
    const { page } = await collide()
    await page.getByRole('button', { name: 'Save your version' }).click()
    await page.getByText('All changes saved').waitFor()
    await expect.poll(async () => (await stored()).html).toBe(MINE)
  })

  test('can merge both versions by hand', async () => {
    const { page } = await collide()
    await page.getByRole('button', { name: 'Accept this change' }).first().click()
    await page.getByRole('textbox', { name: 'Your version' }).click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.insertText('<!-- both -->')
    await page.getByRole('button', { name: 'Save merged text' }).click()
    await page.getByText('All changes saved').waitFor()
    await expect.poll(async () => (await stored()).html).toMatch(/^<!-- both -->/)
    await expect.poll(() => text(page).innerText()).toContain('<!-- both -->')
  })

  test('can go back to editing, and are asked again at the next save', async () => {
    const { page } = await collide()
    await page.getByRole('button', { name: 'Back to editing' }).click()
    await page.locator('[aria-label="Page body"]:focus').waitFor()
    await expect.poll(() => text(page).innerText()).toContain('Two euros')
    await save(page)
    await page.getByText('You changed this page in another window').waitFor()
    await expect.poll(async () => (await stored()).html).toBe(THEIRS)
  })

  test('need no decision if they changed different fields', async () => {
    const { page } = await edit()
    await write(page, MINE)
    await site.space.api.patch(`/pages/${created.id}`, { slug: 'start' })
    await save(page)
    await page.getByText('All changes saved').waitFor()
    await expect.poll(() => stored()).toMatchObject({ slug: 'start', html: MINE })
    await expect.poll(() => page.getByLabel('Slug').inputValue()).toBe('start')
  })

  test('have to choose a slug if both changed it', async () => {
    const { page } = await edit()
    await page.getByLabel('Slug').fill('mine')
    await site.space.api.patch(`/pages/${created.id}`, { slug: 'theirs' })
    await save(page)
    await page.getByText('Their version: theirs').click()
    await page.getByRole('button', { name: 'Save your version' }).click()
    await page.getByText('All changes saved').waitFor()
    await expect.poll(async () => (await stored()).slug).toBe('theirs')
  })
})

test('a version that someone else has saved leaves the cursor where it is', async () => {
  const { page } = await edit()
  await text(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Home')
  await site.space.api.patch(`/pages/${created.id}`, { html: THEIRS })
  await text(page).getByText('Tuesday').waitFor()
  await page.keyboard.type('X')
  expect(await text(page).innerText()).toBe(THEIRS.replace('<p>Free', 'X<p>Free'))
})

test('returning to the window shows that someone else has saved', async () => {
  const { page } = await edit()
  await write(page, MINE)
  await site.space.api.patch(`/pages/${created.id}`, { html: THEIRS })
  // The dashboard refetches only data that is older than five seconds.
  await page.evaluate('{ const now = Date.now; Date.now = () => now() + 5_100 }')
  await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))')
  await page.getByText(/A newer version of this page was saved by/).waitFor()
  await expectAccessible(page, 'changed-elsewhere')
  await page.getByRole('button', { name: 'Compare with yours' }).click()
  await page.getByRole('textbox', { name: 'Their version' }).waitFor()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Their version' }).innerText())
    .toContain('Tuesday')
})

test('the unsaved text of a page that someone else deleted can be saved as a new page', async () => {
  const { page } = await edit()
  await write(page, MINE)
  await site.space.api.delete(`/pages/${created.id}`)
  await save(page)
  await page.getByText('Someone deleted this page').waitFor()
  await expectAccessible(page, 'page-gone')
  await page.getByRole('button', { name: 'Save as a new page' }).click()
  await page.waitForURL(
    url => /\/pages\/[2-9a-z]{16}$/.test(url.pathname) && !url.pathname.endsWith(created.id),
  )
  await expect.poll(async () => (await site.open('/home')).text).toContain('Two euros')
})
