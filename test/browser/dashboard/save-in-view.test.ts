import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newSite } from '../../delivery/support/site.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

/**
 * Scrolls to the end of the view, and returns the distance of a button from the top of the window. Returns null while the
 * view is not longer than the window.
 */
const topAfterScrolling = async (page: Page, name: string): Promise<number | null> => {
  const isScrolled = await page.evaluate<boolean>(
    'scrollTo(0, document.documentElement.scrollHeight), scrollY > 0',
  )
  const box = await page.getByRole('button', { name, exact: true }).boundingBox()
  return isScrolled ? (box?.y ?? null) : null
}

test.each([
  ['record', '/data/list', 'Save'],
  ['new record', '/new-record', 'Create record'],
  ['page', '/new-page', 'Create page'],
  ['part', '/new-part', 'Create part'],
  ['post', null, 'Save draft'],
])('the button that saves a %s stays in view', async (what, path, name) => {
  const site = await newSite(dashboard.service)
  await site.data(
    'list',
    Array.from({ length: 300 }, (_, number) => ({ number })),
  )
  const { page, open } = await dashboard.as(site.space.owner)
  await open(path === null ? '/new-post' : `/spaces/${site.space.subdomain}${path}`)
  await page.getByRole('button', { name, exact: true }).waitFor()
  await page.locator('.cm-content').first().waitFor({ state: 'attached' })
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 420 })
    // Polls, because the view can still grow, and the router can still scroll to its begin.
    await expect
      .poll(() => topAfterScrolling(page, name), { message: `${what}, ${width} px` })
      .toSatisfy((top: number | null) => top !== null && top >= 56 && top < 380)
  }
  await expectAccessible(page, `save-in-view-${name}`.replaceAll(' ', '-').toLowerCase())
})
