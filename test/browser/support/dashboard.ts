/** Runs the dashboard in a real browser, against a service with its own database. */
import { existsSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Settings } from '../../../server/settings/settings.ts'
import type { Person, TestService, TestSpace } from '../../support/test-service.ts'
import { violationsOf } from './axe.ts'
import { type ReaderBrowser, useReaderBrowser } from './delivery.ts'

/** The password of every account that `service.signUp()` creates. */
export const PASSWORD = 'correct horse battery'

const BUILT = new URL('../../../facades/admin/dist/index.html', import.meta.url)

/** A browser window for the dashboard. */
export interface DashboardWindow {
  context: BrowserContext
  page: Page
  /** Opens a view by its path below `/admin`. */
  open: (path: string) => Promise<void>
}

/** Width and color scheme of a window. 360 px stands for phones, 1280 px for desktops. */
export interface Appearance {
  width?: 360 | 1280
  scheme?: 'light' | 'dark'
  /** Whether the person uses a touch screen. */
  isTouch?: boolean
  /** Whether the window follows changes. If not, a view that has failed loads again only on a retry. */
  isLive?: boolean
  /**
   * Whether Markdown posts open in the visual editor, as they do for a new account. If not, they open as Markdown, as for
   * a person who has switched to it.
   */
  isVisual?: boolean
}

export interface Dashboard extends ReaderBrowser {
  /** Opens a window without a session. */
  anonymous: (appearance?: Appearance) => Promise<DashboardWindow>
  /** Opens a window signed in as a person. */
  as: (person: Person, appearance?: Appearance) => Promise<DashboardWindow>
  /** Opens a view of a space, signed in as the owner. `path` is relative to the space's path in the dashboard. */
  inSpace: (
    space: Pick<TestSpace, 'owner' | 'subdomain'>,
    path: string,
    appearance?: Appearance,
  ) => Promise<DashboardWindow>
}

/**
 * Starts the service before the tests of a file and stops it afterwards. Its windows are in a browser of the worker.
 *
 * @param settings override the defaults
 * @param switches further command line switches of the browser
 */
export const useDashboard = (
  settings: Partial<Settings> = {},
  switches: readonly string[] = [],
): Dashboard => {
  if (!existsSync(BUILT)) throw new Error('The dashboard is not built: npm run build')
  // `expectAccessible` chooses the appearance by this counter. Reset the counter for each file, so that every run of the
  // file checks the same appearances.
  checks = 0
  const readerBrowser = useReaderBrowser(settings, switches)
  const anonymous = async ({
    width = 1280,
    scheme = 'light',
    isTouch = false,
    isLive = true,
    isVisual = false,
  }: Appearance = {}): Promise<DashboardWindow> => {
    const { context, page } = await readerBrowser.window({
      viewport: { width, height: width === 360 ? 740 : 800 },
      colorScheme: scheme,
      reducedMotion: 'reduce',
      hasTouch: isTouch,
      isMobile: isTouch,
    })
    // The stream is never answered. If it failed, the window would refetch its views every 30 s.
    if (!isLive) await context.route(/\/trpc\/live\.follow/, () => {})
    if (!isVisual)
      await context.addInitScript(
        `if (origin === '${root(readerBrowser.service)}') localStorage.setItem('space-site-writing-mode', '"code"')`,
      )
    const errors: string[] = []
    page.on('pageerror', error => errors.push(String(error)))
    page.on('console', message => {
      // Errors in the console are bugs, such as violations of the security policy. Failed requests can be intended by
      // the test.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        errors.push(message.text())
    })
    context.on('close', () => expect(errors.join('\n')).toBe(''))
    const open = async (path: string) => {
      await page.goto(`${root(readerBrowser.service)}/admin${path}`)
    }
    return { context, page, open }
  }
  const as = async (person: Person, appearance?: Appearance) => {
    const window = await anonymous(appearance)
    const response = await window.context.request.post(
      `${root(readerBrowser.service)}/trpc/sessions.create`,
      {
        data: { handle: person.handle, password: PASSWORD },
      },
    )
    expect(response.status()).toBe(200)
    return window
  }
  const inSpace: Dashboard['inSpace'] = async ({ owner, subdomain }, path, appearance) => {
    const window = await as(owner, appearance)
    await window.open(`/spaces/${subdomain}${path}`)
    return window
  }
  return Object.assign(readerBrowser, { anonymous, as, inSpace })
}

/** Returns the root URL of the service as browsers open it. Its host is the one for which cookies are set. */
export const root = (service: TestService): string => service.core.addresses.apiRoot

/** Waits until an element with this text has the focus. */
export const expectFocus = (page: Page, text: string): Promise<void> =>
  page.locator(':focus').filter({ hasText: text }).waitFor()

/** Has the dashboard refetch what it refetches when the person returns to the tab after a while. */
export const returnToTab = async (page: Page): Promise<void> => {
  // Only data that is older than five seconds is refetched.
  await page.evaluate('{ const now = Date.now; Date.now = () => now() + 5_100 }')
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
}

/** The appearances in which views are checked. */
const APPEARANCES: Required<Pick<Appearance, 'width' | 'scheme'>>[] = [
  { width: 360, scheme: 'dark' },
  { width: 1280, scheme: 'light' },
  { width: 360, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
]
let checks = 0

/**
 * Checks that a view conforms to WCAG and does not overflow horizontally. Each call checks the next of four appearances,
 * because the checks take a fifth of the time of all tests. Check a new view in all of them: if `SHOTS` names a folder,
 * each call does so, and saves four screenshots in the folder. Leaves the window narrow.
 *
 * @param name base name of the screenshots
 */
export const expectAccessible = async (page: Page, name: string): Promise<void> => {
  // Move the pointer away from the last click, so that no tooltip opens.
  await page.mouse.move(0, 0)
  const { SHOTS } = process.env
  checks += 1
  for (const { width, scheme } of SHOTS ? APPEARANCES : [APPEARANCES[checks % APPEARANCES.length]!]) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 800 })
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
    // Wait for two animation frames, after which the change is rendered.
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
    // Until the view has loaded, it has no heading.
    await page.locator('h1').first().waitFor({ state: 'attached' })
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}-${width}-${scheme}.png`, fullPage: true })
    expect(await violationsOf(page), `${name}, ${width} px, ${scheme}`).toEqual([])
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(overflow, `${name} is wider than ${width} px`).toBeLessThanOrEqual(0)
  }
  // Whatever was checked, the test goes on in the same window.
  await page.setViewportSize({ width: 360, height: 740 })
}
