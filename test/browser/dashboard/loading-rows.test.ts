import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { root, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

const placeOf = async (row: Locator) => {
  const { x, y, width, height } = (await row.boundingBox())!
  return { x, y, width, height }
}

test.each([
  ['spaces', () => '/', 'spaces.list', 'Spaces'],
  ['posts', () => '/posts', 'writing.list', 'Posts'],
  ['people', () => '/people', 'follows.list', 'People you follow'],
  ['pages', (subdomain: string) => `/spaces/${subdomain}/pages`, 'pages.list', 'Pages'],
  ['parts', (subdomain: string) => `/spaces/${subdomain}/parts`, 'parts.list', 'Parts'],
  ['records', (subdomain: string) => `/spaces/${subdomain}/data`, 'records.list', 'Records'],
  ['files', (subdomain: string) => `/spaces/${subdomain}/files`, 'files.list', 'Files'],
])("the placeholder of the list of %s has the position and size of the list's first row", async (...row) => {
  const [, path, procedure, label] = row
  const { owner, subdomain, api } = await dashboard.service.createSpace()
  await api.post('/pages', { slug: 'beans', html: 'Beans', kind: 'static' })
  await api.post('/parts', { name: 'footer', html: 'Beans' })
  await api.put('/data/beans', { value: ['Beans'], description: 'What grows in the garden' })
  await api.post('/files', { name: 'beans.txt', content: 'Beans', encoding: 'text' })
  const { handle } = await dashboard.service.signUp()
  await owner.follows.add({ handle })
  await owner.posts.create({ format: 'markdown', markdown: '# Beans' })
  const { page, context } = await dashboard.as(owner)
  let release = () => {}
  const isReleased = new Promise<void>(resolve => (release = resolve))
  await context.route(
    url => url.pathname.includes(procedure),
    async route => {
      await isReleased
      await route.continue()
    },
  )
  await page.goto(`${root(dashboard.service)}/admin${path(subdomain)}`)
  const loading = page
    .getByRole('status')
    .filter({ hasText: 'Loading' })
    .locator(':scope > div:last-child > div')
  await loading.first().waitFor()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate('document.fonts.ready.then(() => {})')
  const before = await placeOf(loading.first())
  release()
  const first = page.getByRole('list', { name: label }).getByRole('listitem').first()
  await first.waitFor()
  await expect.poll(() => placeOf(first)).toEqual(before)
})

test('a view replaces its placeholder as soon as it has loaded', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, context, open } = await dashboard.as(owner)
  await page.clock.install()
  await open(`/spaces/${subdomain}`)
  const link = page.getByRole('link', { name: 'Settings' })
  await link.waitFor()
  let release = () => {}
  const isReleased = new Promise<void>(resolve => (release = resolve))
  await context.route(/\/assets\/Settings-/, async route => {
    await isReleased
    await route.continue()
  })
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000))
  await link.click()
  const placeholder = page.getByRole('status').filter({ hasText: 'Loading' })
  // The view may begin to wait only after the click has returned, so advance the clock until the placeholder is there.
  const wait = async () => {
    await page.clock.runFor(20)
    return placeholder.isVisible()
  }
  await expect.poll(wait).toBe(true)
  release()
  const heading = page.getByRole('heading', { level: 1, name: 'Settings' })
  // Loading data needs timers, so advance the window's clock by 1 ms in each poll. All polls together advance it by at
  // most 300 ms.
  const step = async () => {
    await page.clock.runFor(1)
    return [await heading.isVisible(), await placeholder.count()]
  }
  await expect.poll(step, { interval: 200 }).toEqual([true, 0])
})
