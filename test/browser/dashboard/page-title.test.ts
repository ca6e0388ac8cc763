import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'

const dashboard = useDashboard()

const title = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true })
const slug = (page: Page) => page.getByRole('textbox', { name: 'Slug', exact: true })
const body = (page: Page) => page.getByRole('textbox', { name: 'Page body' })

const expectSlug = (page: Page, value: string) => expect.poll(() => slug(page).inputValue()).toBe(value)

test('the title of a new page becomes its slug, title and heading', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page } = await dashboard.inSpace({ owner, subdomain }, '/new-page')
  await body(page).getByText('{{ space.name }}').waitFor()
  await title(page).pressSequentially('Über uns & {{ mehr }}')
  await expectSlug(page, 'ueber-uns-mehr')
  await body(page).getByText('<h1>Über uns &amp; &#123;{ mehr }}</h1>').waitFor()
  await expectAccessible(page, 'page-title')
  await title(page).press('Control+s')
  await page.waitForURL(/\/pages\/[2-9a-z]{16}$/)
  await title(page).waitFor({ state: 'detached' })
  await body(page).and(page.locator(':focus')).waitFor()
  const [stored] = (await owner.pages.list({ subdomain })).data
  const { html } = await owner.pages.get({ subdomain, page_id: stored!.id })
  expect([stored!.slug, html]).toEqual([
    'ueber-uns-mehr',
    '<title>Über uns &amp; &#123;{ mehr }}</title>\n<h1>Über uns &amp; &#123;{ mehr }}</h1>',
  ])
})

test('a slug or body that was typed does not follow the title', async () => {
  const space = await dashboard.service.createSpace()
  const { page } = await dashboard.inSpace(space, '/new-page')
  await body(page).getByText('{{ space.name }}').waitFor()
  await title(page).fill('Menu')
  await body(page).getByText('<h1>Menu</h1>').waitFor()
  await slug(page).fill('soups')
  await write(page, '<p>Leek</p>', 'Page body')
  await title(page).fill('Menu of the day')
  await slug(page).fill('')
  await title(page).fill('Menu of this day')
  await expectSlug(page, 'menu-of-this-day')
  await expect.poll(() => body(page).innerText()).toBe('<p>Leek</p>')
})

test('discarding a new page empties its title', async () => {
  const space = await dashboard.service.createSpace()
  const { page } = await dashboard.inSpace(space, '/new-page')
  await body(page).getByText('{{ space.name }}').waitFor()
  await title(page).fill('Menu')
  await body(page).getByText('<h1>Menu</h1>').waitFor()
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await page.getByRole('link', { name: 'menu' }).click()
  await expectSlug(page, 'menu')
  await title(page).fill('Soups')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expectSlug(page, '')
  await expect.poll(() => title(page).inputValue()).toBe('')
})

test('a taken slug is said while the title is typed, with a link to the page that has it', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { id } = await owner.pages.create({ subdomain, slug: 'menu', html: 'x' })
  const { page } = await dashboard.inSpace({ owner, subdomain }, '/new-page')
  await title(page).fill('Menu')
  const error = page.getByText('Another page has this slug.')
  await error.waitFor()
  await expectAccessible(page, 'page-slug-taken')
  expect(await page.getByRole('link', { name: 'open that page' }).getAttribute('href')).toMatch(
    new RegExp(`/pages/${id}$`),
  )
  await title(page).fill('Menu 2')
  await error.waitFor({ state: 'detached' })
})
