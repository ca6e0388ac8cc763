import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectShown } from '../support/page-preview.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.service)
})

/** Pause in typing, in ms, after which the draft is evaluated. Errors at the cursor appear later. */
const PAUSE = 1_000

/** Opens a page's editor, waits for its preview, and stops the clock of the window. */
const edit = async (html: string) => {
  const created = await site.page('home', html, 'scripted')
  const window = await dashboard.as(site.space.owner)
  const { page } = window
  await page.clock.install()
  const vocabulary = page.waitForResponse(/editing\.vocabulary/)
  await window.open(`/spaces/${site.space.subdomain}/pages/${created.id}`)
  await status(page).getByText('Up to date', { exact: true }).waitFor()
  // The editor knows only from the vocabulary which tags begin a block that may still be typed.
  await (await vocabulary).finished()
  await text(page).waitFor()
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000))
  await text(page).click()
  await page.keyboard.press('Control+End')
  return window
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Page body' })
const status = (page: Page) => page.getByRole('region', { name: 'Preview' }).getByRole('status').first()
const error = (page: Page) => page.getByText('The template has an error')
const shown = (page: Page) => page.frameLocator('iframe[title^="Preview of"]:not([aria-hidden])')

/** Inserts text and moves the clock past the pause, so that the draft is evaluated. */
const typeAndPause = async (page: Page, keys: string) => {
  await page.keyboard.insertText(keys)
  const answered = page.waitForResponse(/previews\.page/)
  await page.clock.runFor(PAUSE)
  await answered
}

describe('while a tag is typed', () => {
  test.each([
    ['a tag without its condition', '{% if '],
    ['a block without its end', '{% if true %}yes'],
    ['an output without its end', '{{ space.name'],
    ['the name of a part', "{% render 'na"],
  ])('%s shows no error until the cursor leaves it', async (_, keys) => {
    const { page } = await edit('<h1>first</h1>\n')
    await typeAndPause(page, keys)
    await status(page).getByText('Showing the last working version').waitFor()
    expect(await error(page).or(page.getByText('A part is missing')).count()).toBe(0)
    expect(await page.locator('.cm-lintRange-error').count()).toBe(0)
    await expectShown(shown(page).getByRole('heading', { name: 'first' }))
    await page.keyboard.press('Control+Home')
    await error(page).or(page.getByText('A part is missing')).waitFor()
  })

  test('an unclosed inner block shows no error until the cursor leaves the inner block', async () => {
    const { page } = await edit('{% for i in (1..2) %}\n{% endfor %}')
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('End')
    await typeAndPause(page, '{% if true %}')
    await status(page).getByText('Showing the last working version').waitFor()
    expect(await error(page).count()).toBe(0)
    await page.keyboard.press('Control+Home')
    await error(page).waitFor()
  })

  test('an incomplete tag shows its error after the person has stopped typing for a while', async () => {
    const { page } = await edit('<h1>first</h1>\n')
    await typeAndPause(page, '{% if ')
    await status(page).getByText('Showing the last working version').waitFor()
    expect(await error(page).count()).toBe(0)
    await page.clock.runFor(1_500)
    await error(page).waitFor()
  })

  test('an error elsewhere in the text appears at once', async () => {
    const { page } = await edit('<h1>first</h1>\n')
    await page.keyboard.insertText('{% endif %} and more')
    await page.keyboard.type('.')
    await page.clock.runFor(PAUSE)
    await error(page).waitFor()
    expect(await error(page).count()).toBe(1)
  })
})

describe('the status of the preview', () => {
  test('says, as soon as a key is pressed, that the preview is updating', async () => {
    const { page } = await edit('<h1>first</h1>')
    await page.keyboard.type('x')
    await status(page).getByText('Updating…').waitFor()
    await page.clock.runFor(PAUSE)
    await page.clock.resume()
    await status(page).getByText('Up to date', { exact: true }).waitFor()
    expect(await status(page).getByText('Updating…').count()).toBe(0)
  })

  test('says, after the connection is lost, that the preview is not up to date', async () => {
    const { page, context } = await edit('<h1>first</h1>')
    const isHeld = Promise.withResolvers<void>()
    await context.route(/previews\.page/, () => isHeld.resolve(), { times: 1 })
    await page.keyboard.type('x')
    await page.clock.runFor(PAUSE)
    await isHeld.promise
    await context.setOffline(true)
    await status(page).getByText('Not up to date').waitFor()
    await context.setOffline(false)
    await page.clock.resume()
    await status(page).getByText('Up to date', { exact: true }).waitFor()
    expect(await status(page).getByText('Not up to date').count()).toBe(0)
  })

  test('says that the preview is not up to date if its origin does not respond', async () => {
    const { page, context } = await edit('<h1>first</h1>')
    const isPreview = ({ hostname }: URL) => hostname.startsWith('preview-')
    await context.route(isPreview, () => {})
    // The clock stands still while the text is typed, so that only the complete text is evaluated.
    await page.keyboard.type('<h2>second</h2>')
    await page.clock.resume()
    // The preview tries several origins, one after another, and gives each of them six seconds.
    const isUnreachable = async () => {
      await page.clock.fastForward(6_000)
      return page.getByText('The preview does not load').isVisible()
    }
    await expect.poll(isUnreachable).toBe(true)
    await status(page).getByText('Not up to date').waitFor()
    await context.unroute(isPreview)
    await expectAccessible(page, 'preview-unreachable')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectShown(shown(page).getByRole('heading', { name: 'second' }))
    await status(page).getByText('Up to date', { exact: true }).waitFor()
  })
})
