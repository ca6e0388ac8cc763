import { expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectVisible } from '../support/locators.ts'

const dashboard = useDashboard()

test('the menu of a space stays visible in the account views, and disappears in the list of spaces', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/pages`)
  const menu = page.getByRole('navigation', { name: 'Space' })
  await menu.getByRole('link', { name: 'Overview' }).waitFor()
  for (const name of ['Profile', 'Security', 'Tokens and apps']) {
    await page.getByRole('navigation', { name: 'You' }).getByRole('link', { name }).click()
    await page.getByRole('link', { name, exact: true }).and(page.locator('[aria-current=page]')).waitFor()
    await expect.poll(() => menu.getByRole('link').count()).toBeGreaterThan(1)
  }
  await page.getByRole('heading', { level: 1, name: 'Tokens and apps' }).waitFor()
  await expectAccessible(page, 'account-beside-space')
  await page.setViewportSize({ width: 1280, height: 800 })
  await menu.getByRole('link', { name: 'Overview' }).click()
  await page.waitForURL(url => url.pathname.endsWith(`/spaces/${subdomain}`))
  await page.getByRole('link', { name: 'Space Site, your spaces' }).click()
  await page.getByRole('heading', { level: 1, name: 'Spaces' }).waitFor()
  await menu.waitFor({ state: 'detached' })
})

test('the error of a slug disappears when the slug changes', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  await owner.pages.create({ subdomain, slug: 'menu', html: '<h1>Menu</h1>' })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/new-page`)
  const released = Promise.withResolvers<void>()
  await page.route('**/trpc/pages.create*', async route => {
    await released.promise
    await route.fallback()
  })
  await page.getByLabel('Slug').fill('menu')
  const error = page.getByText('Another page has this slug.')
  // The list of pages is known already. Its error is hidden during the request, so the next one is from the answer.
  await error.waitFor()
  await page.getByRole('button', { name: 'Create page' }).click()
  await error.waitFor({ state: 'detached' })
  released.resolve()
  await error.waitFor()
  await page.getByLabel('Slug').fill('menu-2')
  await error.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Create page' }).click()
  await expectVisible(page.getByText('It is live at'))
})

test('the account menu closes on Escape, an outside click or tabbing out; Escape focuses the menu button', async () => {
  const { page, open } = await dashboard.as(await dashboard.service.signUp())
  await open('/account')
  const button = page.getByRole('button', { name: 'Account menu' })
  const menu = page.getByRole('dialog', { name: 'Account menu' })
  const first = menu.getByRole('link', { name: 'Your profile' }).and(page.locator(':focus'))
  await button.focus()
  await page.keyboard.press('Enter')
  await first.waitFor()
  await menu.getByRole('button', { name: 'Dark' }).click()
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await menu.getByRole('button', { name: 'System' }).click()
  await expectAccessible(page, 'account-menu')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  await button.and(page.locator(':focus')).waitFor()
  await button.click()
  await first.waitFor()
  await page.getByRole('heading', { level: 1 }).click()
  await menu.waitFor({ state: 'hidden' })
  await button.click()
  await first.waitFor()
  for (let i = 0; i < 6; i++) await page.keyboard.press('Tab')
  await menu.waitFor({ state: 'hidden' })
})
