import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startTestService } from '../../support/test-service.ts'
import { root, useDashboard } from '../support/dashboard.ts'
import { button } from '../support/locators.ts'

const dashboard = useDashboard()

const LIGHT = 'rgb(252, 253, 251)'
const DARK = 'rgb(22, 25, 23)'

/** Opens the dashboard without its scripts and stylesheets, and returns the background color of the first paint. */
const firstPaint = async (page: Page, address: string) => {
  await page.route(/\.(?:js|css)$/, route => route.abort().catch(() => {}))
  await page.goto(address)
  const color = await page.evaluate<string>(
    'getComputedStyle(document.querySelector(".first-paint")).backgroundColor',
  )
  await page.unroute(/\.(?:js|css)$/)
  return color
}

/** Returns the color scheme cookies of all paths. */
const schemeCookies = async (context: BrowserContext) =>
  (await context.cookies())
    .filter(({ name }) => name === 'color-scheme')
    .map(({ value, path, secure, sameSite }) => ({ value, path, secure, sameSite }))

describe('the first paint', () => {
  test("uses the color scheme that the person chose, not the system's", async () => {
    const { page, context, open } = await dashboard.as(await dashboard.service.signUp(), { scheme: 'light' })
    const address = `${root(dashboard.service)}/admin`
    const choose = async (name: string) => {
      await open('')
      await page.getByRole('button', { name: 'Account menu' }).click()
      await button(page, name).click()
    }
    expect(await firstPaint(page, address)).toBe(LIGHT)
    expect(await schemeCookies(context)).toEqual([])

    await choose('Dark')
    await expect
      .poll(() => schemeCookies(context))
      .toEqual([{ value: 'dark', path: '/', secure: false, sameSite: 'Lax' }])
    expect(await firstPaint(page, address)).toBe(DARK)
    expect(await firstPaint(page, `${address}/account/security`)).toBe(DARK)

    await page.emulateMedia({ colorScheme: 'dark' })
    await choose('Light')
    await expect.poll(() => schemeCookies(context)).toMatchObject([{ value: 'light' }])
    expect(await firstPaint(page, address)).toBe(LIGHT)

    await choose('System')
    await expect.poll(() => schemeCookies(context)).toEqual([])
    expect(await firstPaint(page, address)).toBe(DARK)
  })

  test('uses a cookie, which the dashboard corrects if the cookie differs from the choice in local storage', async () => {
    const { page, context, open } = await dashboard.as(await dashboard.service.signUp(), { scheme: 'light' })
    const choose = (scheme: string) =>
      page.evaluate(`localStorage.setItem('mantine-color-scheme-value', '${scheme}')`)
    await open('')
    await choose('dark')
    await open('')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => schemeCookies(context)).toMatchObject([{ value: 'dark' }])
    await choose('auto')
    await open('')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => schemeCookies(context)).toEqual([])
  })

  test('uses the chosen color scheme if the address of the main site is https and has a path', async () => {
    const service = await startTestService({ apiRoot: 'https://host.example/space' })
    try {
      const { page, context } = await dashboard.anonymous({ scheme: 'light' })
      // Forwards requests like a proxy, because the service itself has no https.
      await context.route('https://host.example/space/**', async route => {
        const { pathname, search, href } = new URL(route.request().url())
        // Nothing waits for the typeface, so it could still be loading when the service stops.
        if (pathname.endsWith('.woff2')) return route.abort()
        const cookies = (await context.cookies(href)).map(({ name, value }) => `${name}=${value}`)
        const response = await route.fetch({
          url: service.root + pathname.replace('/space', '') + search,
          headers: { ...route.request().headers(), cookie: cookies.join('; ') },
        })
        await route.fulfill({ response })
      })
      const address = 'https://host.example/space/admin'
      await page.goto(`${address}/sign-in`)
      await page.evaluate("localStorage.setItem('mantine-color-scheme-value', 'dark')")
      await page.goto(`${address}/sign-in`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect
        .poll(() => schemeCookies(context))
        .toEqual([{ value: 'dark', path: '/space', secure: true, sameSite: 'Lax' }])
      expect(await firstPaint(page, address)).toBe(DARK)
      // A view that was left may still wait for an answer, which the service no longer gives once it has stopped.
      await context.unrouteAll({ behavior: 'wait' })
    } finally {
      await service.stop()
    }
  })
})
