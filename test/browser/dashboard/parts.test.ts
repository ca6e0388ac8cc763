import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { expectAccessible, returnToTab, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'
import { expectShown } from '../support/page-preview.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.service)
})

const open = (path: string) => dashboard.inSpace(site.space, path)

/** Calls `expectAccessible`, then makes the window wide again, so that the preview is beside the editor. */
const expectAccessibleWide = async (page: Page, name: string) => {
  await expectAccessible(page, name)
  await page.setViewportSize({ width: 1280, height: 800 })
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Part body' })
const preview = (page: Page) => page.frameLocator('iframe[title^="Preview of"]:not([aria-hidden])')
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

const write = async (page: Page, content: string) => {
  await text(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.insertText(content)
}

/** Creates a part that a page and another part use. */
const usedPart = async () => {
  const part = await site.part('nav', '<nav>stored</nav>')
  await site.page('home', '<h1>Home</h1>{% include "nav" %}', 'scripted')
  await site.part('frame', '{% include "nav" %}')
  return part
}

describe('the list of parts', () => {
  test('explains parts while it is empty', async () => {
    const { page } = await open('/parts')
    await page.getByRole('heading', { name: 'Write once, use on every page' }).waitFor()
    await expectAccessibleWide(page, 'parts-empty')
    await page.getByRole('link', { name: 'New part' }).click()
    await page.getByRole('heading', { name: 'New part' }).waitFor()
  })

  test('can be searched and links to each part', async () => {
    for (const name of ['nav', 'footer']) await site.part(name, 'x')
    const { page } = await open('/parts')
    await page.getByRole('link', { name: 'nav', exact: true }).waitFor()
    await expectAccessibleWide(page, 'parts')
    await page.getByRole('searchbox', { name: 'Search parts' }).fill('foo')
    await page.getByText('1 of 2 parts').waitFor()
    await page.getByRole('link', { name: 'footer', exact: true }).click()
    await page.getByRole('heading', { name: 'footer' }).waitFor()
  })
})

describe('editing a part', () => {
  test('previews a new part without a page around it, and saves the part', async () => {
    const { page } = await open('/new-part')
    await page.getByLabel('Name').fill('greeting')
    await write(page, '<p>Welcome to {{ space.name }}</p>')
    await expectShown(preview(page).getByText(`Welcome to The ${site.space.subdomain}`))
    await expectAccessibleWide(page, 'part-new')
    await text(page).press('Control+s')
    await page.waitForURL(/\/parts\/[2-9a-z]{16}$/)
    await page.getByText('Nothing uses this part yet').waitFor()
  })

  test('shows the tag that includes the part: `layout` if the part defines blocks', async () => {
    const { page } = await open('/new-part')
    await page.getByLabel('Name').fill('frame')
    await page.getByText("Include it with {% render 'frame' %}").waitFor()
    await write(page, '<main>{% block content %}{% endblock %}</main>')
    const hint = page.getByText("Include it with {% layout 'frame' %}")
    await hint.waitFor()
    await expect.poll(() => hint.isVisible()).toBe(true)
  })

  test('previews the draft in a page that uses the part', async () => {
    const part = await usedPart()
    const { page } = await open(`/parts/${part.id}`)
    await expectShown(preview(page).getByText('stored'))
    await write(page, '<nav>draft</nav>')
    await expectShown(preview(page).getByText('draft'))
    await expect.poll(() => preview(page).getByRole('heading', { name: 'Home' }).count()).toBe(1)
    await expectAccessibleWide(page, 'part')
    await page.getByRole('combobox', { name: 'Preview in' }).click()
    await page.getByRole('option', { name: 'Part only' }).click()
    await expectShown(preview(page).getByText('draft'))
    await expect.poll(() => preview(page).getByRole('heading', { name: 'Home' }).count()).toBe(0)
  })

  test('previews the part alone once the page in which it was previewed is deleted', async () => {
    const part = await site.part('nav', '<nav>stored</nav>')
    const home = await site.page('home', '<h1>Home</h1>{% include "nav" %}', 'scripted')
    const { page } = await open(`/parts/${part.id}`)
    await expectShown(preview(page).getByText('Home'))
    const { owner, subdomain } = site.space
    await owner.pages.delete({ subdomain, page_id: home.id })
    await returnToTab(page)
    await page.getByText('Nothing uses this part yet').waitFor()
    await write(page, '<nav>draft</nav>')
    await expectShown(preview(page).getByText('draft'))
  })

  test('shows an include cycle as an error of the body', async () => {
    const part = await usedPart()
    const { page } = await open(`/parts/${part.id}`)
    await write(page, '{% include "frame" %}')
    await save(page)
    await page.getByText('nav → frame → nav').waitFor()
    await expectAccessibleWide(page, 'part-circle')
  })

  test('shows an error if all parts together are too large', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await site.part(name, 'x'.repeat(262_144))
    const { page } = await open('/new-part')
    await page.getByLabel('Name').fill('e')
    await page.getByRole('button', { name: 'Create part' }).click()
    const message = page.getByText('All parts together would have')
    await message.waitFor()
    await expect.poll(() => message.innerText()).toContain('the limit is 1048576')
  })
})

describe('renaming or deleting a part', () => {
  test('a rename lists the items that would break, and needs a confirmation', async () => {
    const part = await usedPart()
    const { page } = await open(`/parts/${part.id}`)
    await page.getByLabel('Name').fill('menu')
    await save(page)
    const dialog = page.getByRole('dialog', { name: 'Rename nav to menu?' })
    await dialog.getByText('Page home').waitFor()
    await dialog.getByText('Part frame and everything that uses it').waitFor()
    await expectAccessibleWide(page, 'part-rename')
    await dialog.getByRole('button', { name: 'Rename only' }).click()
    await page.getByRole('heading', { name: 'menu', level: 1 }).waitFor()
    await expect
      .poll(async () => (await site.space.api.get<{ name: string }>(`/parts/${part.id}`)).body.name)
      .toBe('menu')
  })

  test('a rename also updates the pages and parts that use the part, if the person chooses that', async () => {
    const part = await usedPart()
    const { page } = await dashboard.inSpace(site.space, `/parts/${part.id}`, { isLive: false })
    await page.getByLabel('Name').fill('menu')
    // The dialog reads the uses again when it opens.
    const reread = page.waitForResponse(response => response.url().includes('parts.get'))
    await save(page)
    const dialog = page.getByRole('dialog', { name: 'Rename nav to menu?' })
    // While the dialog is open, another page starts to include the part. The dialog does not show that page yet.
    await dialog.getByText('1 page and 1 part use this part').waitFor()
    const button = dialog.getByRole('button', { name: 'Rename and update 2 items' })
    await reread
    await expect.poll(() => button.isEnabled()).toBe(true)
    const late = await site.page('late', "{% render 'nav' %}")
    await button.click()
    await page.getByText('Other pages or parts use this part now').waitFor()
    await save(page)
    await dialog.getByText('Page late').waitFor()
    await dialog.getByRole('button', { name: 'Rename and update 3 items' }).click()
    await expectNotice(page, '2 pages and 1 part updated')
    await page.getByRole('heading', { name: 'menu', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'late', exact: true }).click()
    await page.locator('.cm-line', { hasText: "{% render 'menu' %}" }).waitFor()
    expect((await site.space.api.get<{ html: string }>(`/pages/${late.id}`)).body.html).toBe(
      "{% render 'menu' %}",
    )
    expect((await site.open('/late')).text).toContain('stored')
  })

  test('a rename needs no confirmation if nothing uses the part', async () => {
    const part = await site.part('nav', 'x')
    const { page } = await open(`/parts/${part.id}`)
    await page.getByLabel('Name').fill('menu')
    await save(page)
    await page.getByRole('heading', { name: 'menu', level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  test('a deletion first lists the items that would break', async () => {
    const part = await usedPart()
    const { page } = await open(`/parts/${part.id}`)
    await page.getByRole('button', { name: 'Delete this part' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete nav?' })
    await dialog.getByText('1 page and 1 part will show an error').waitFor()
    await expectAccessibleWide(page, 'part-delete')
    await dialog.getByRole('button', { name: 'Delete part' }).click()
    await page.getByRole('link', { name: 'frame', exact: true }).waitFor()
    await expect.poll(async () => (await site.space.api.get(`/parts/${part.id}`)).status).toBe(404)
  })
})
