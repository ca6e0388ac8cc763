import { statSync } from 'node:fs'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { fontFiles } from '../../../facades/http/page/typeface.ts'
import { root, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

/** Maximum size of the scripts, stylesheets and fonts that the first view loads, in bytes after gzip. */
const BUDGET = 250_000

/** Maximum number of these files. Each takes a request, of which a browser sends six at a time without HTTP/2. */
const FILES = 50

const built = new URL('../../../facades/admin/dist/assets/', import.meta.url)

/** Returns the size of a loaded file. The build compresses scripts and stylesheets; fonts are compressed already. */
const sizeOf = (address: string): number => {
  const { pathname } = new URL(address)
  const name = pathname.split('/').at(-1)!
  const font = fontFiles.find(file => file.name === name)
  return font ? font.bytes.length : statSync(new URL(`${name}.gz`, built)).size
}

test.each([
  ['the list of spaces', (subdomain: string) => `/?of=${subdomain}`],
  ['the overview of a space', (subdomain: string) => `/spaces/${subdomain}`],
])(
  '%s loads less than 250 kB of scripts, stylesheets and fonts, in fewer than 50 files',
  async (view, path) => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { page, open } = await dashboard.as(owner)
    await open(path(subdomain))
    await page.getByRole('heading', { level: 1 }).waitFor()
    // Also count the files that load after the view.
    await page.waitForLoadState('networkidle')
    await page.evaluate('document.fonts.ready')
    const loaded = await page.evaluate<string[]>(
      "performance.getEntriesByType('resource').map(entry => entry.name)",
    )
    const files = ['.js', '.css', '.woff2'].map(suffix => [
      ...new Set(loaded.filter(name => name.endsWith(suffix))),
    ])
    const sums = files.map(names => names.map(sizeOf).reduce((sum, size) => sum + size, 0))
    for (const sum of sums) expect(sum).toBeGreaterThan(0)
    const [scripts, styles, fonts] = sums
    const sum = sums.reduce((sum, size) => sum + size, 0)
    console.log(`${view}: ${scripts} + ${styles} + ${fonts} = ${sum} bytes of scripts, stylesheets and fonts`)
    expect(sum).toBeLessThan(BUDGET)
    expect(files.flat().length).toBeLessThan(FILES)
  },
)

/** Holds back the responses whose path matches, until the returned function is called. */
const holdBack = async (context: BrowserContext, path: RegExp): Promise<() => void> => {
  let release = () => {}
  const isReleased = new Promise<void>(resolve => (release = resolve))
  await context.route(path, async route => {
    await isReleased
    await route.continue()
  })
  return release
}

/** Returns the color of the line below the header. */
const lineBelow = (page: Page, header: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${header}')).borderBottomColor`)

/** Returns the position of the logo, which both the first paint and the dashboard show. */
const placeOf = async (logo: Locator) => {
  const { x, y } = (await logo.boundingBox())!
  return { x, y }
}

describe('before any script or stylesheet has arrived', () => {
  test.each([
    ['signed-in', 1280, 'light', 'rgb(252, 253, 251)'],
    ['signed-in', 360, 'dark', 'rgb(22, 25, 23)'],
    ['signed-out', 1280, 'dark', 'rgb(22, 25, 23)'],
    ['signed-out', 360, 'light', 'rgb(252, 253, 251)'],
  ] as const)(
    'a %s browser that is %i px wide shows the first paint in the %s color scheme, and the logo does not move',
    async (...row) => {
      const [session, width, scheme, background] = row
      const { service } = dashboard
      const { page, context } =
        session === 'signed-in'
          ? await dashboard.as(await service.signUp(), { width, scheme })
          : await dashboard.anonymous({ width, scheme })
      const release = await holdBack(context, /\.(?:js|css)$/)
      await page.goto(`${root(service)}/admin`, { waitUntil: 'commit' })
      const frame = page.locator('.first-paint')
      await page.getByRole('progressbar', { name: 'Loading the dashboard' }).waitFor()
      expect(
        await frame.evaluate('getComputedStyle(document.querySelector(".first-paint")).backgroundColor'),
      ).toBe(background)
      // The browser paints although it has received nothing but the document so far.
      await expect
        .poll(() => page.evaluate("performance.getEntriesByName('first-contentful-paint').length"))
        .toBe(1)
      // The logo of a signed-out browser is centered with its text, whose width depends on the typeface.
      await page.evaluate('document.fonts.ready')
      const before = await placeOf(frame.locator('svg'))
      const line = await lineBelow(page, '.first-paint-header')
      release()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => frame.isVisible()).toBe(false)
      // Allow 1 px, because browsers round the position of the text beside the logo to whole pixels.
      await expect
        .poll(async () => {
          const after = await placeOf(page.locator('#root img[src$="favicon.svg"]'))
          return Math.max(Math.abs(after.x - before.x), Math.abs(after.y - before.y))
        })
        .toBeLessThanOrEqual(1)
      const hasHeader = session === 'signed-in'
      expect(hasHeader ? await lineBelow(page, '#root header') : line).toBe(line)
    },
  )
})
