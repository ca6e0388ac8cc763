import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newSite } from '../../delivery/support/site.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

/** Scrolls to the end of the view, and returns the distance of a button from the top of the window. */
const topAfterScrolling = async (page: Page, name: string) => {
  const button = page.getByRole('button', { name, exact: true })
  await button.waitFor()
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(0)
  return (await button.boundingBox())?.y
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
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 420 })
    const top = await topAfterScrolling(page, name)
    expect(top, `${what}, ${width} px`).toBeGreaterThanOrEqual(56)
    expect(top, `${what}, ${width} px`).toBeLessThan(380)
  }
  await expectAccessible(page, `save-in-view-${name}`.replaceAll(' ', '-').toLowerCase())
})
