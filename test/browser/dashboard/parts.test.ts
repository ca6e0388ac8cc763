import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.world)
})

const open = async (path: string) => {
  const window = await dashboard.as(site.space.owner)
  await window.open(`/spaces/${site.space.subdomain}${path}`)
  return window
}

const expectWell = async (page: Page, name: string) => {
  await expectAccessible(page, name)
  await page.setViewportSize({ width: 1280, height: 800 })
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Text of the part' })
const picture = (page: Page) => page.frameLocator('iframe[title^="Preview of"]:not([aria-hidden])')
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

const write = async (page: Page, words: string) => {
  await text(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.insertText(words)
}

/** A part with a page and a part that use it. */
const used = async () => {
  const part = await site.part('nav', '<nav>stored</nav>')
  await site.page('home', '<h1>Home</h1>{% include "nav" %}', 'scripted')
  await site.part('frame', '{% include "nav" %}')
  return part
}

describe('the list of parts', () => {
  test('begins with what parts are for', async () => {
    const { page } = await open('/parts')
    await page.getByRole('heading', { name: 'Write once, use on every page' }).waitFor()
    await expectWell(page, 'parts-empty')
    await page.getByRole('link', { name: 'New part' }).click()
    await page.getByRole('heading', { name: 'New part' }).waitFor()
  })

  test('is searched, and leads to each part', async () => {
    for (const name of ['nav', 'footer']) await site.part(name, 'x')
    const { page } = await open('/parts')
    await page.getByRole('link', { name: 'nav', exact: true }).waitFor()
    await expectWell(page, 'parts')
    await page.getByRole('searchbox', { name: 'Search parts' }).fill('foo')
    await page.getByText('1 of 2 parts').waitFor()
    await page.getByRole('link', { name: 'footer', exact: true }).click()
    await page.getByRole('heading', { name: 'footer' }).waitFor()
  })
})

describe('writing a part', () => {
  test('shows it alone while it is new, and saves it', async () => {
    const { page } = await open('/new-part')
    await page.getByLabel('Name').fill('greeting')
    await write(page, '<p>Welcome to {{ space.name }}</p>')
    await picture(page).getByText(`Welcome to The ${site.space.subdomain}`).waitFor()
    await expectWell(page, 'part-new')
    await text(page).press('Control+s')
    await page.waitForURL(/\/parts\/[2-9a-z]{16}$/)
    await page.getByText('Nothing uses this part yet').waitFor()
  })

  test('shows it within a page that uses it, in the place of what is stored', async () => {
    const part = await used()
    const { page } = await open(`/parts/${part.id}`)
    await picture(page).getByText('stored').waitFor()
    await write(page, '<nav>draft</nav>')
    await picture(page).getByText('draft').waitFor()
    expect(await picture(page).getByRole('heading', { name: 'Home' }).count()).toBe(1)
    await expectWell(page, 'part')
    await page.getByRole('combobox', { name: 'Shown in' }).click()
    await page.getByRole('option', { name: 'Alone' }).click()
    await picture(page).getByText('draft').waitFor()
    await expect.poll(() => picture(page).getByRole('heading', { name: 'Home' }).count()).toBe(0)
  })

  test('tells a circle of includes at the text', async () => {
    const part = await used()
    const { page } = await open(`/parts/${part.id}`)
    await write(page, '{% include "frame" %}')
    await save(page)
    await page.getByText('nav → frame → nav').waitFor()
    await expectWell(page, 'part-circle')
  })

  test('tells that all parts together would be too large', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await site.part(name, 'x'.repeat(262_144))
    const { page } = await open('/new-part')
    await page.getByLabel('Name').fill('e')
    await save(page)
    const words = page.getByText('The parts would have')
    await words.waitFor()
    expect(await words.innerText()).toContain('1048576 are allowed')
  })
})

describe('before a part is renamed or deleted', () => {
  test('a question tells what would break; renaming goes on from there', async () => {
    const part = await used()
    const { page } = await open(`/parts/${part.id}`)
    await page.getByLabel('Name').fill('menu')
    await save(page)
    const question = page.getByRole('dialog', { name: 'Rename nav to menu?' })
    await question.getByText('Page home').waitFor()
    await question.getByText('Part frame, and what uses it').waitFor()
    await expectWell(page, 'part-rename')
    await question.getByRole('button', { name: 'Rename part' }).click()
    await page.getByRole('heading', { name: 'menu', level: 1 }).waitFor()
    expect((await site.space.api.get<{ name: string }>(`/parts/${part.id}`)).body.name).toBe('menu')
  })

  test('nothing is asked where nothing uses it', async () => {
    const part = await site.part('nav', 'x')
    const { page } = await open(`/parts/${part.id}`)
    await page.getByLabel('Name').fill('menu')
    await save(page)
    await page.getByRole('heading', { name: 'menu', level: 1 }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('deleting tells it too', async () => {
    const part = await used()
    const { page } = await open(`/parts/${part.id}`)
    await page.getByRole('button', { name: 'Delete this part' }).click()
    const question = page.getByRole('dialog', { name: 'Delete nav?' })
    await question.getByText('1 page and 1 part will show an error').waitFor()
    await expectWell(page, 'part-delete')
    await question.getByRole('button', { name: 'Delete part' }).click()
    await page.getByRole('link', { name: 'frame', exact: true }).waitFor()
    expect((await site.space.api.get(`/parts/${part.id}`)).status).toBe(404)
  })
})
