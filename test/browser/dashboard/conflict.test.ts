import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()
let site: TestSite
let made: { id: string }

beforeEach(async () => {
  site = await newSite(dashboard.world)
  made = await site.page('home', '<h1>Garden</h1>\n<p>Open on Monday</p>\n<p>Free entry</p>')
})

const edit = async () => {
  const window = await dashboard.as(site.space.owner)
  await window.open(`/spaces/${site.space.subdomain}/pages/${made.id}`)
  await text(window.page).waitFor()
  return window
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Text of the page' })

const write = async (page: Page, words: string) => {
  await text(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.insertText(words)
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

const THEIRS = '<h1>Garden</h1>\n<p>Open on Tuesday</p>\n<p>Free entry</p>'
const MINE = '<h1>Garden</h1>\n<p>Open on Monday</p>\n<p>Two euros</p>'

const stored = async () =>
  (await site.space.api.get<{ html: string; slug: string; kind: string }>(`/pages/${made.id}`)).body

/** Two people with the same page, of whom the other has saved first. */
const collide = async () => {
  const mine = await edit()
  await write(mine.page, MINE)
  const theirs = await edit()
  await write(theirs.page, THEIRS)
  await save(theirs.page)
  await theirs.page.getByText('All changes saved').waitFor()
  await save(mine.page)
  await mine.page.getByText('Somebody else changed this page').waitFor()
  await mine.page.getByRole('textbox', { name: 'Yours, text' }).waitFor()
  return mine
}

describe('two people who change the same page', () => {
  test('see both texts, and nothing is overwritten before one decides', async () => {
    const { page } = await collide()
    await expectAccessible(page, 'conflict')
    expect(await page.getByRole('textbox', { name: 'Theirs, text' }).innerText()).toContain('Tuesday')
    expect(await page.getByRole('textbox', { name: 'Yours, text' }).innerText()).toContain('Two euros')
    expect((await stored()).html).toBe(THEIRS)
  })

  test('can have theirs', async () => {
    const { page } = await collide()
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await page.getByText('All changes saved').waitFor()
    expect(await text(page).innerText()).toContain('Tuesday')
    expect((await stored()).html).toBe(THEIRS)
  })

  test('can have mine', async () => {
    const { page } = await collide()
    await page.getByRole('button', { name: 'Save yours' }).click()
    await page.getByText('All changes saved').waitFor()
    expect((await stored()).html).toBe(MINE)
  })

  test('can have both, put together by hand', async () => {
    const { page } = await collide()
    await page.getByRole('button', { name: 'Take this change' }).first().click()
    await page.getByRole('textbox', { name: 'Yours, text' }).click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.insertText('<!-- both -->')
    await page.getByRole('button', { name: 'Save the right text' }).click()
    await page.getByText('All changes saved').waitFor()
    expect((await stored()).html).toMatch(/^<!-- both -->/)
    expect(await text(page).innerText()).toContain('<!-- both -->')
  })

  test('can go back to writing, and are asked again with the next save', async () => {
    const { page } = await collide()
    await page.getByRole('button', { name: 'Back to writing' }).click()
    await page.locator('[aria-label="Text of the page"]:focus').waitFor()
    expect(await text(page).innerText()).toContain('Two euros')
    await save(page)
    await page.getByText('Somebody else changed this page').waitFor()
    expect((await stored()).html).toBe(THEIRS)
  })

  test('need not decide where they changed different things', async () => {
    const { page } = await edit()
    await write(page, MINE)
    await site.space.api.patch(`/pages/${made.id}`, { slug: 'start' })
    await save(page)
    await page.getByText('All changes saved').waitFor()
    expect(await stored()).toMatchObject({ slug: 'start', html: MINE })
    expect(await page.getByLabel('Slug').inputValue()).toBe('start')
  })

  test('decide on the slug too', async () => {
    const { page } = await edit()
    await page.getByLabel('Slug').fill('mine')
    await site.space.api.patch(`/pages/${made.id}`, { slug: 'theirs' })
    await save(page)
    await page.getByText('Theirs: theirs').click()
    await page.getByRole('button', { name: 'Save yours' }).click()
    await page.getByText('All changes saved').waitFor()
    expect((await stored()).slug).toBe('theirs')
  })
})

test('what somebody else has saved is told without saving, when one comes back to the window', async () => {
  const { page } = await edit()
  await write(page, MINE)
  await site.space.api.patch(`/pages/${made.id}`, { html: THEIRS })
  // What was read is trusted for some seconds.
  await page.waitForTimeout(5_100)
  await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))')
  await page.getByText('Somebody else saved this page').waitFor()
  await expectAccessible(page, 'changed-elsewhere')
  await page.getByRole('button', { name: 'Compare with yours' }).click()
  await page.getByRole('textbox', { name: 'Theirs, text' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Theirs, text' }).innerText()).toContain('Tuesday')
})

test('what was written to a page that somebody deleted meanwhile can be saved as a new one', async () => {
  const { page } = await edit()
  await write(page, MINE)
  await site.space.api.delete(`/pages/${made.id}`)
  await save(page)
  await page.getByText('Somebody deleted this page').waitFor()
  await expectAccessible(page, 'page-gone')
  await page.getByRole('button', { name: 'Save it as a new page' }).click()
  await page.waitForURL(url => /\/pages\/[2-9a-z]{16}$/.test(url.pathname) && !url.pathname.endsWith(made.id))
  expect((await site.open('/home')).text).toContain('Two euros')
})
