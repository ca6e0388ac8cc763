import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { useDashboard } from '../support/dashboard.ts'
import { expectShown } from '../support/page-preview.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.service)
})

const KINDS = [
  { what: 'page', list: 'pages', section: 'Pages', label: 'Slug' },
  { what: 'part', list: 'parts', section: 'Parts', label: 'Name' },
] as const

type Kind = (typeof KINDS)[number]

const text = (page: Page, { what }: Kind) =>
  page.getByRole('textbox', { name: what === 'page' ? 'Page body' : 'Part body' })

/** Opens the editor of a new page or part from the list. */
const openNew = async ({ what, list }: Kind) => {
  await site.page('other', 'x')
  await site.part('other', 'x')
  const window = await dashboard.as(site.space.owner)
  const { page } = window
  await window.open(`/spaces/${site.space.subdomain}/${list}`)
  await page.getByRole('link', { name: `New ${what}` }).click()
  return window
}

const append = async (page: Page, kind: Kind, content: string) => {
  await text(page, kind).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(content)
}

const stored = ({ list }: Kind) => new RegExp(`/${list}/[2-9a-z]{16}$`)

describe.each(KINDS)('the first save of a $what', kind => {
  test('keeps the editor with its cursor, focus and undo history, and keeps the preview', async () => {
    const { page } = await openNew(kind)
    await page.getByLabel(kind.label).fill('fresh')
    const initial = await text(page, kind).innerText()
    await append(page, kind, '<p>before')
    // The preview shows each draft in a new frame. Wait for the frame with this text, because the test checks below
    // that the save keeps this frame.
    await expectShown(page.frameLocator('iframe[title^="Preview of"]:not([aria-hidden])').getByText('before'))
    await page.getByText('Up to date').waitFor()
    await expect.poll(() => page.locator('iframe[title^="Preview of"]').count()).toBe(1)
    await page.evaluate(
      "for (const kept of document.querySelectorAll('.cm-content, iframe')) kept.dataset.kept = ''",
    )
    const kept = await page.locator('[data-kept]').count()
    expect(kept).toBeGreaterThan(1)
    await page.keyboard.press('Control+s')
    await page.waitForURL(stored(kind))
    await page.getByText('All changes saved').waitFor()
    await page.getByRole('heading', { name: 'fresh', level: 1 }).waitFor()
    await page.getByRole('button', { name: `Delete this ${kind.what}` }).waitFor()
    await expect.poll(() => page.locator('[data-kept]').count()).toBe(kept)
    await page.keyboard.insertText('<p>after')
    await expect.poll(() => text(page, kind).innerText()).toContain('<p>before<p>after')
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Control+z')
    await expect.poll(() => text(page, kind).innerText()).toBe(initial)
    await page.getByText('Unsaved changes').waitFor()
  })

  test('changes the address without adding a history entry', async () => {
    const { page } = await openNew(kind)
    await page.getByLabel(kind.label).fill('fresh')
    await append(page, kind, '<p>kept')
    await page.getByRole('button', { name: `Create ${kind.what}` }).click()
    await page.waitForURL(stored(kind))
    // With unsaved changes, the browser would ask before it reloads.
    await page.getByText('All changes saved').waitFor()
    await page.reload()
    await text(page, kind).getByText('<p>kept').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'fresh', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`/${kind.list}$`))
  })

  test('keeps the text if it fails; saving again does not create a second item', async () => {
    const { page } = await openNew(kind)
    await page.getByLabel(kind.label).fill('other')
    await append(page, kind, '<p>kept')
    const answer = page.waitForResponse(/\.create/)
    await page.keyboard.press('Control+s')
    expect((await answer).ok()).toBe(false)
    // A save during another one that fails does nothing. The button is disabled meanwhile.
    await page.getByRole('button', { name: `Create ${kind.what}`, disabled: false }).waitFor()
    await page.getByText(`Another ${kind.what} has this`).waitFor()
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`/new-${kind.what}$`))
    await expect.poll(() => text(page, kind).innerText()).toContain('<p>kept')
    await page.getByLabel(kind.label).fill('fresh')
    await page.keyboard.press('Control+s')
    await page.waitForURL(stored(kind))
    await page.getByText('All changes saved').waitFor()
    await append(page, kind, ' twice')
    await page.getByText('Unsaved changes').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('All changes saved').waitFor()
    const { data } = (await site.space.api.get<{ data: unknown[] }>(`/${kind.list}`)).body
    expect(data).toHaveLength(2)
  })

  test('does not return to the editor if the person has left it in the meantime', async () => {
    const { page } = await openNew(kind)
    await page.getByLabel(kind.label).fill('fresh')
    let release = () => {}
    const released = new Promise<void>(done => {
      release = done
    })
    await page.route(`**/trpc/${kind.list}.create*`, async route => {
      await released
      await route.continue()
    })
    await page.getByRole('button', { name: `Create ${kind.what}` }).click()
    await page.getByRole('link', { name: kind.section, exact: true }).click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('link', { name: 'other', exact: true }).waitFor()
    const created = page.waitForResponse(/\.create/)
    release()
    expect((await created).ok()).toBe(true)
    // The list may still show the draft. The link to the draft has the same text, but another address.
    await page.locator(`a[href*="/${kind.list}/"]`, { hasText: /^fresh$/ }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`/${kind.list}$`))
  })
})

describe('the first save of a record', () => {
  const value = (page: Page) => page.getByRole('textbox', { name: 'Value' })

  /** Opens the editor of a new record from the list and types its key and a member. */
  const openNewRecord = async (key: string) => {
    await site.data('other', 1)
    const window = await dashboard.as(site.space.owner)
    const { page } = window
    await window.open(`/spaces/${site.space.subdomain}/data`)
    await page.getByRole('link', { name: 'New record' }).click()
    await page.getByLabel('Key', { exact: true }).fill(key)
    await value(page).click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.insertText('"before": 1')
    return page
  }

  test('keeps the editor with its cursor, focus and undo history', async () => {
    const page = await openNewRecord('fresh')
    await page.evaluate("document.querySelector('.cm-content').dataset.kept = ''")
    await page.keyboard.press('Control+s')
    await page.waitForURL(/\/data\/fresh$/)
    await page.getByText('Version 1, saved').waitFor()
    await page.keyboard.insertText(', "after": 2')
    await expect.poll(() => page.locator('[data-kept]').innerText()).toContain('{"before": 1, "after": 2')
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Control+z')
    await expect.poll(() => value(page).innerText()).not.toContain('before')
    await page.getByText('Unsaved').waitFor()
  })

  test('changes the address without adding a history entry', async () => {
    const page = await openNewRecord('fresh')
    await page.getByRole('button', { name: 'Create record' }).click()
    await page.waitForURL(/\/data\/fresh$/)
    await page.locator('[aria-label="Value"]:focus').waitFor()
    // With unsaved changes, the browser would ask before it reloads.
    await page.getByText('Version 1, saved').waitFor()
    await page.reload()
    await page.getByText('Version 1, saved').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'fresh' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/data$/)
  })

  test('keeps the text if it fails; the next save creates the record', async () => {
    const page = await openNewRecord('other')
    await page.keyboard.press('Control+s')
    await page.getByText('Another record already has this key.').waitFor()
    await expect.poll(() => value(page).innerText()).toContain('"before": 1')
    await page.getByLabel('Key', { exact: true }).fill('fresh')
    await page.getByLabel('Key', { exact: true }).press('Enter')
    await page.getByText('Version 1, saved').waitFor()
    await page.getByLabel('Description').fill('Added later')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Version 2, saved').waitFor()
    const { subdomain, owner } = site.space
    await expect
      .poll(() => owner.data.get({ subdomain, key: 'fresh' }))
      .toMatchObject({
        value: { before: 1 },
        description: 'Added later',
      })
  })
})
