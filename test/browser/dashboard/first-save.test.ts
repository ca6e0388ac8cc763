import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.world)
})

const THINGS = [
  { what: 'page', list: 'pages', section: 'Pages', label: 'Slug' },
  { what: 'part', list: 'parts', section: 'Parts', label: 'Name' },
] as const

type Thing = (typeof THINGS)[number]

const text = (page: Page, { what }: Thing) => page.getByRole('textbox', { name: `Text of the ${what}` })

/** The editor of a new thing, reached from the list. */
const begin = async ({ what, list }: Thing) => {
  await site.page('other', 'x')
  await site.part('other', 'x')
  const window = await dashboard.as(site.space.owner)
  const { page } = window
  await window.open(`/spaces/${site.space.subdomain}/${list}`)
  await page.getByRole('link', { name: `New ${what}` }).click()
  return window
}

const append = async (page: Page, thing: Thing, words: string) => {
  await text(page, thing).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(words)
}

const stored = ({ list }: Thing) => new RegExp(`/${list}/[2-9a-z]{16}$`)

describe.each(THINGS)('the first saving of a $what', thing => {
  test('keeps editor and preview: cursor, focus and what can be undone', async () => {
    const { page } = await begin(thing)
    await page.getByLabel(thing.label).fill('fresh')
    const begun = await text(page, thing).innerText()
    await append(page, thing, '<p>before')
    // The frame that shows what has been typed; one before it would be taken away.
    await page.frameLocator('iframe[title^="Preview of"]:not([aria-hidden])').getByText('before').waitFor()
    await page.getByText('Up to date').waitFor()
    await page.evaluate(
      "for (const kept of document.querySelectorAll('.cm-content, iframe')) kept.dataset.kept = ''",
    )
    const kept = await page.locator('[data-kept]').count()
    expect(kept).toBeGreaterThan(1)
    await page.keyboard.press('Control+s')
    await page.waitForURL(stored(thing))
    await page.getByText('All changes saved').waitFor()
    await page.getByRole('heading', { name: 'fresh', level: 1 }).waitFor()
    await page.getByRole('button', { name: `Delete this ${thing.what}` }).waitFor()
    expect(await page.locator('[data-kept]').count()).toBe(kept)
    await page.keyboard.insertText('<p>after')
    expect(await text(page, thing).innerText()).toContain('<p>before<p>after')
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Control+z')
    expect(await text(page, thing).innerText()).toBe(begun)
    await page.getByText('Unsaved changes').waitFor()
  })

  test('gives it an address of its own, which has the text and is one step from where one came', async () => {
    const { page } = await begin(thing)
    await page.getByLabel(thing.label).fill('fresh')
    await append(page, thing, '<p>kept')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(stored(thing))
    await page.reload()
    await text(page, thing).getByText('<p>kept').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'fresh', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`/${thing.list}$`))
  })

  test('that is refused loses nothing, and the next one saves the same text once', async () => {
    const { page } = await begin(thing)
    await page.getByLabel(thing.label).fill('other')
    await append(page, thing, '<p>kept')
    await page.keyboard.press('Control+s')
    await page.getByText(`Another ${thing.what} has this`).waitFor()
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`/new-${thing.what}$`))
    expect(await text(page, thing).innerText()).toContain('<p>kept')
    await page.getByLabel(thing.label).fill('fresh')
    await page.keyboard.press('Control+s')
    await page.waitForURL(stored(thing))
    await append(page, thing, ' twice')
    await page.keyboard.press('Control+s')
    await page.getByText('All changes saved').waitFor()
    const { data } = (await site.space.api.get<{ data: unknown[] }>(`/${thing.list}`)).body
    expect(data).toHaveLength(2)
  })

  test('does not lead back whoever has left meanwhile', async () => {
    const { page } = await begin(thing)
    await page.getByLabel(thing.label).fill('fresh')
    let go = () => {}
    const gone = new Promise<void>(done => {
      go = done
    })
    await page.route(`**/trpc/${thing.list}.create*`, async route => {
      await gone
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: thing.section, exact: true }).click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('link', { name: 'other', exact: true }).waitFor()
    go()
    await page.getByRole('link', { name: 'fresh', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`/${thing.list}$`))
  })
})

describe('the first saving of a record', () => {
  const value = (page: Page) => page.getByRole('textbox', { name: 'Value' })

  /** The editor of a new record, reached from the list, with something in it. */
  const beginRecord = async (key: string) => {
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

  test('keeps the editor: cursor, focus and what can be undone', async () => {
    const page = await beginRecord('fresh')
    await page.evaluate("document.querySelector('.cm-content').dataset.kept = ''")
    await page.keyboard.press('Control+s')
    await page.waitForURL(/\/data\/fresh$/)
    await page.getByText('Version 1, saved').waitFor()
    await page.keyboard.insertText(', "after": 2')
    expect(await page.locator('[data-kept]').innerText()).toContain('{"before": 1, "after": 2')
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Control+z')
    expect(await value(page).innerText()).not.toContain('before')
    await page.getByText('Unsaved').waitFor()
  })

  test('gives it an address of its own, which has the text and is one step from where one came', async () => {
    const page = await beginRecord('fresh')
    await page.getByRole('button', { name: 'Make the record' }).click()
    await page.waitForURL(/\/data\/fresh$/)
    await page.locator('[aria-label="Value"]:focus').waitFor()
    await page.reload()
    await value(page).getByText('"before": 1').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'fresh' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/data$/)
  })

  test('that is refused loses nothing, and the next one saves the same text', async () => {
    const page = await beginRecord('other')
    await page.keyboard.press('Control+s')
    await page.getByText('Another record has this key; it is unchanged.').waitFor()
    expect(await value(page).innerText()).toContain('"before": 1')
    await page.getByLabel('Key', { exact: true }).fill('fresh')
    await page.getByLabel('Key', { exact: true }).press('Enter')
    await page.getByText('Version 1, saved').waitFor()
    await page.getByLabel('Description').fill('Said later')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Version 2, saved').waitFor()
    const { subdomain, owner } = site.space
    expect(await owner.data.get({ subdomain, key: 'fresh' })).toMatchObject({
      value: { before: 1 },
      description: 'Said later',
    })
  })
})
