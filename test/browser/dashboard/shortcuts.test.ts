import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectVisible } from '../support/locators.ts'

const dashboard = useDashboard()

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

/** Waits until the view with this heading has the focus, so that keys reach no field. */
const expectView = async (page: Page, name: string) => {
  await heading(page, name).waitFor()
  await page.locator('main:focus').waitFor()
}

test('G and a letter open the views of the menu, which shows the letters', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}`)
  await heading(page, subdomain).waitFor()
  const menu = page.getByRole('navigation', { name: 'Sections' })
  const letters = await menu
    .getByRole('link')
    .evaluateAll(links => links.map(link => [link.textContent, link.dataset.keys] as const))
  const titles: Record<string, string> = { Overview: subdomain }
  const bound = letters.filter(([, keys]) => keys !== undefined)
  expect(new Set(bound.map(([, keys]) => keys)).size).toBe(bound.length)
  for (const [label, keys] of bound.slice(1)) {
    await page.keyboard.press('g')
    await menu.and(page.locator('[data-going]')).waitFor()
    await page.keyboard.press(keys!.slice(2))
    await expectView(page, titles[label] ?? label)
    await menu.and(page.locator(':not([data-going])')).waitFor()
  }
  expect(bound.length).toBe(11)
})

test('C creates what a list shows, and a slash searches the list, or everything where there is none', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  await owner.pages.create({ subdomain, slug: 'about', html: 'x' })
  await owner.parts.create({ subdomain, name: 'menu', html: 'x' })
  await owner.data.put({ subdomain, key: 'events', value: 1 })
  const { page, open } = await dashboard.as(owner)
  for (const [path, title] of [
    ['pages', 'New page'],
    ['parts', 'New part'],
    ['data', 'New record'],
  ] as const) {
    await open(`/spaces/${subdomain}/${path}`)
    const field = page.getByRole('searchbox')
    await field.waitFor()
    await page.keyboard.press('/')
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('c/g?')
    await expect.poll(() => field.inputValue()).toBe('c/g?')
    await page.locator('main').focus()
    await page.keyboard.press('c')
    await heading(page, title).waitFor()
  }
  await open('/')
  await heading(page, 'Spaces').waitFor()
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Search' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('c')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' })
  await page.keyboard.press('c')
  await heading(page, 'New space').waitFor()
})

test('E switches between the page and the code, but types a letter in the code', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { id } = await owner.pages.create({ subdomain, slug: 'about', kind: 'static', html: '<p>x</p>' })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/pages/${id}`)
  const code = page.getByRole('textbox', { name: 'Page body' })
  await code.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('eg/?c')
  await page.getByText('<p>x</p>eg/?c').waitFor()
  await page.locator('main').focus()
  await page.keyboard.press('e')
  await page.getByRole('button', { name: 'Show the code' }).waitFor()
  await code.waitFor({ state: 'hidden' })
  await page.keyboard.press('e')
  await expectVisible(code)
})

test('a field that shows why a page could not be saved beside the page alone keeps the focus', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  await owner.pages.create({ subdomain, slug: 'taken', kind: 'static', html: '<p>x</p>' })
  const { id } = await owner.pages.create({ subdomain, slug: 'about', kind: 'static', html: '<p>x</p>' })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/pages/${id}`)
  const slug = page.getByRole('textbox', { name: 'Slug' })
  await slug.fill('taken')
  await page.getByRole('button', { name: 'Edit on the page' }).click()
  await slug.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Another page has this slug.').waitFor()
  await slug.press('End')
  await page.keyboard.type('-e')
  await expect.poll(() => slug.inputValue()).toBe('taken-e')
  await page.keyboard.press('Control+s')
  await page.getByText('All changes saved').waitFor()
  await slug.and(page.locator(':focus')).waitFor()
})

test('the page alone is shown with the fields of a new page', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/new-page`)
  await page.getByRole('button', { name: 'Edit on the page' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Events')
  await page.getByRole('button', { name: 'Create page' }).click()
  await page.getByRole('heading', { level: 1, name: 'events' }).waitFor()
  await expect
    .poll(async () => (await owner.pages.list({ subdomain })).data.map(({ slug }) => slug))
    .toEqual(['events'])
})

test('keys with a modifier, and another key after G, do nothing', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/files`)
  await heading(page, 'Files').waitFor()
  await page.locator('main').focus()
  const going = page.locator('[data-going]')
  for (const key of ['Control+g', 'Alt+g', 'Meta+g', 'Shift+g']) {
    await page.keyboard.press(key)
    expect(await going.count()).toBe(0)
  }
  await page.keyboard.press('g')
  await going.waitFor()
  await page.keyboard.press('x')
  await going.waitFor({ state: 'detached' })
  await page.keyboard.press('p')
  await page.keyboard.press('?')
  await dialog(page).waitFor()
  await page.keyboard.press('p')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toMatch(/\/files$/)
})

test('a question mark lists the shortcuts, where those of one key can be switched off', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/files`)
  await heading(page, 'Files').waitFor()
  await page.locator('main').focus()
  await page.keyboard.press('?')
  await dialog(page).getByRole('row', { name: 'Go to Pages G P' }).waitFor()
  await expectAccessible(page, 'shortcuts')
  await page.getByRole('switch', { name: 'Shortcuts of one key' }).click()
  await dialog(page).getByRole('row', { name: 'Go to Pages' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await page.reload()
  await heading(page, 'Files').waitFor()
  for (const key of ['?', 'g', 'p', '/', 'c']) await page.keyboard.press(key)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).and(page.locator(':focus')).waitFor()
  expect(await dialog(page).count()).toBe(0)
  expect(new URL(page.url()).pathname).toMatch(/\/files$/)
  await page.getByRole('option', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('switch', { name: 'Shortcuts of one key' }).click()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await heading(page, 'Pages').waitFor()
})

test('the list has only the views of the menu', async () => {
  const { subdomain, join } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(await join(undefined, 'editor'))
  const row = (effect: string) => dialog(page).getByRole('row', { name: `Go to ${effect}` })
  await open(`/spaces/${subdomain}/files`)
  await heading(page, 'Files').waitFor()
  await page.keyboard.press('?')
  await row('Files').waitFor()
  await row('Keys').waitFor({ state: 'detached' })
  await open('/')
  await heading(page, 'Spaces').waitFor()
  await page.keyboard.press('?')
  await row('Spaces').waitFor()
  expect(await row('Files').count()).toBe(0)
})
