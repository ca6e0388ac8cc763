/** Runs the dashboard in a real browser, against a service with its own database. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Settings } from '../../../server/settings.ts'
import type { Person, World } from '../../support/world.ts'
import { type Readers, useReaders } from './delivery.ts'

/** The password of every account that `world.person()` creates. */
export const PASSWORD = 'correct horse battery'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A browser window for the dashboard. */
export interface DashboardWindow {
  context: BrowserContext
  page: Page
  /** Opens a view by its path below `/admin`. */
  open: (path: string) => Promise<void>
}

/** Width and colour scheme of a window. 360 px stands for phones, 1280 px for desktops. */
export interface Look {
  width?: 360 | 1280
  scheme?: 'light' | 'dark'
}

export interface Dashboard extends Readers {
  /** Opens a window without a session. */
  anonymous: (look?: Look) => Promise<DashboardWindow>
  /** Opens a window signed in as a person. */
  as: (person: Person, look?: Look) => Promise<DashboardWindow>
}

/** Starts service and browser before the tests of a file and stops them afterwards. @param settings override the defaults */
export const useDashboard = (settings: Partial<Settings> = {}): Dashboard => {
  const readers = useReaders(settings)
  const anonymous = async ({ width = 1280, scheme = 'light' }: Look = {}): Promise<DashboardWindow> => {
    const { context, page } = await readers.window({
      viewport: { width, height: width === 360 ? 740 : 800 },
      colorScheme: scheme,
      reducedMotion: 'reduce',
    })
    const errors: string[] = []
    page.on('pageerror', error => errors.push(String(error)))
    page.on('console', message => {
      // Violations of the security policy and warnings of React are bugs; failed requests may be expected.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        errors.push(message.text())
    })
    context.on('close', () => expect(errors.join('\n')).toBe(''))
    const open = async (path: string) => {
      await page.goto(`${root(readers.world)}/admin${path}`)
    }
    return { context, page, open }
  }
  const as = async (person: Person, look?: Look) => {
    const window = await anonymous(look)
    const response = await window.context.request.post(`${root(readers.world)}/trpc/sessions.create`, {
      data: { handle: person.handle, password: PASSWORD },
    })
    expect(response.status()).toBe(200)
    return window
  }
  return Object.assign(readers, { anonymous, as })
}

/** The root URL of the service, as browsers open it. Cookies belong to its host. */
export const root = (world: World): string => world.service.core.addresses.apiRoot

/** Waits until the element with this text has the focus. */
export const expectFocus = (page: Page, text: string): Promise<void> =>
  page.locator(':focus').filter({ hasText: text }).waitFor()

interface Violation {
  id: string
  help: string
  nodes: { html: string; failureSummary?: string }[]
}

/** Runs axe on the current state of the view, with the rules for WCAG 2.2 AA and best practices.
 *
 * @returns one line for each violation
 */
export const violationsOf = async (page: Page): Promise<string[]> => {
  // The security policy blocks injected scripts; evaluating through the debugger bypasses it.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe)
  const violations = await page.evaluate<Violation[]>(
    "axe.run({ resultTypes: ['violations'], selectors: false }).then(({ violations }) => violations)",
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary ?? ''}`),
  )
}

/** Two pairs, each with both widths and both colour schemes. */
const LOOKS: Required<Look>[][] = [
  [
    { width: 1280, scheme: 'light' },
    { width: 360, scheme: 'dark' },
  ],
  [
    { width: 1280, scheme: 'dark' },
    { width: 360, scheme: 'light' },
  ],
]
let checks = 0

/** Checks a view against WCAG and for horizontal overflow, once wide and once narrow, once light and once dark. Which
 * width is combined with which scheme alternates between calls. With `SHOTS` set to a folder, all four combinations
 * are checked, and a screenshot of each is saved there.
 *
 * @param name base name of the screenshots
 */
export const expectAccessible = async (page: Page, name: string): Promise<void> => {
  // A pointer left where the last click was may open a tooltip.
  await page.mouse.move(0, 0)
  const { SHOTS } = process.env
  checks += 1
  for (const { width, scheme } of SHOTS ? LOOKS.flat() : LOOKS[checks % 2]!) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 800 })
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
    // After two frames, the change has been rendered.
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}-${width}-${scheme}.png`, fullPage: true })
    expect(await violationsOf(page), `${name}, ${width} px, ${scheme}`).toEqual([])
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(overflow, `${name} is wider than ${width} px`).toBeLessThanOrEqual(0)
  }
}
