import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

/** Maximum size of the scripts that the first view loads, in bytes after gzip. */
const BUDGET = 250_000

const built = new URL('../../../facades/admin/dist/assets/', import.meta.url)

test.each([
  ['the list of spaces', (subdomain: string) => `/?of=${subdomain}`],
  ['the overview of a space', (subdomain: string) => `/spaces/${subdomain}`],
])('%s loads less than 250 kB of scripts', async (view, path) => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(owner)
  await open(path(subdomain))
  await page.getByRole('heading', { level: 1 }).waitFor()
  const scripts = await page.evaluate<string[]>(
    "performance.getEntriesByType('resource').map(entry => entry.name).filter(name => name.endsWith('.js'))",
  )
  const names = new Set(scripts.map(address => new URL(address).pathname.split('/').at(-1)!))
  const sizes = [...names].map(name => statSync(new URL(`${name}.gz`, built)).size)
  expect(sizes.length).toBeGreaterThan(0)
  const sum = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`${view}: ${sum} bytes of script, compressed with gzip`)
  expect(sum).toBeLessThan(BUDGET)
})

test('the page says that the dashboard is loading until its scripts have arrived', async () => {
  const { page, context } = await dashboard.anonymous()
  let load = () => {}
  const isLoaded = new Promise<void>(resolve => (load = resolve))
  await context.route(/\.js$/, async route => {
    await isLoaded
    await route.continue()
  })
  await page.goto(`${root(dashboard.service)}/admin/sign-in`, { waitUntil: 'commit' })
  const progress = page.getByRole('progressbar', { name: 'Loading the dashboard' })
  await progress.waitFor()
  load()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expect.poll(() => progress.count()).toBe(0)
})
