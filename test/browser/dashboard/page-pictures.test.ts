import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestSpace } from '../../support/test-service.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectShown } from '../support/page-preview.ts'

const dashboard = useDashboard()
let space: TestSpace

beforeEach(async () => {
  space = await dashboard.service.createSpace()
})

const addPage = (slug: string, html: string, kind: 'static' | 'scripted' = 'scripted') =>
  space.owner.pages.create({ subdomain: space.subdomain, slug, html, kind })

/** The picture of a page of the space; of the home page without a slug. */
const picture = (page: Page, slug = '') => page.locator(`iframe[src$="/pictures/${space.subdomain}/${slug}"]`)

describe('a picture of a page', () => {
  test('is shown in the list of spaces and on the overview', async () => {
    await addPage('index', '<h1>Harvest</h1>')
    const { page, open } = await dashboard.as(space.owner)
    await open('/')
    await expectShown(picture(page).contentFrame().getByRole('heading', { name: 'Harvest' }))
    await expectAccessible(page, 'spaces-picture')
    await page.getByRole('link', { name: `The ${space.subdomain}` }).click()
    await page.getByText('Your site is live at').waitFor()
    await expectShown(picture(page).contentFrame().getByRole('heading', { name: 'Harvest' }))
    await expectAccessible(page, 'overview-picture')
  })

  test('cannot be reached by keyboard, and opens nothing', async () => {
    await addPage('index', '<a href="/about" style="position: fixed; inset: 0">About</a>')
    const { page } = await dashboard.inSpace(space, '/pages')
    await expectShown(picture(page, 'index').contentFrame().getByText('About'))
    expect(await picture(page, 'index').and(page.locator('[inert]')).count()).toBe(1)
    // A click on the picture opens the page of its row.
    // It has no box while it is replaced by a newer one.
    let box: Awaited<ReturnType<ReturnType<typeof picture>['boundingBox']>> = null
    await expect.poll(async () => (box = await picture(page, 'index').boundingBox())).not.toBeNull()
    await page.mouse.click(box!.x + box!.width / 2, box!.y + box!.height / 2)
    await page.getByRole('heading', { level: 1, name: 'index' }).waitFor()
  })

  test('is loaded only while its row is in sight', async () => {
    for (let number = 10; number < 50; number++) await addPage(`page-${number}`, '<p>x</p>', 'static')
    const { page } = await dashboard.inSpace(space, '/pages')
    await picture(page, 'page-10').waitFor({ state: 'attached' })
    expect(await picture(page, 'page-49').count()).toBe(0)
    await page.getByRole('link', { name: 'page-49', exact: true }).scrollIntoViewIfNeeded()
    await picture(page, 'page-49').waitFor({ state: 'attached' })
    await expect.poll(() => picture(page, 'page-10').count()).toBe(0)
  })
})
