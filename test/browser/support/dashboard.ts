/** The dashboard in a real browser, in front of a real service with a database of its own. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Settings } from '../../../server/settings.ts'
import type { Person, World } from '../../support/world.ts'
import { type Readers, useReaders } from './delivery.ts'

/** Of every account that `world.person()` makes. */
export const PASSWORD = 'correct horse battery'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A window with the dashboard in it. */
export interface DashboardWindow {
  context: BrowserContext
  page: Page
  /** Opens a view by its path below `/admin`. */
  open: (path: string) => Promise<void>
}

/** How a window looks: WCAG's narrowest, or a desk's. */
export interface Look {
  width?: 360 | 1280
  scheme?: 'light' | 'dark'
}

export interface Dashboard extends Readers {
  /** A window of somebody who is not signed in. */
  anonymous: (look?: Look) => Promise<DashboardWindow>
  /** A window of somebody who has signed in with handle and password. */
  as: (person: Person, look?: Look) => Promise<DashboardWindow>
}

/** Starts service and browser before the tests of a file and stops them after. @param settings beside the addresses */
export const useDashboard = (settings: Partial<Settings> = {}): Dashboard => {
  const readers = useReaders(settings)
  const anonymous = async ({ width = 1280, scheme = 'light' }: Look = {}): Promise<DashboardWindow> => {
    const { context, page } = await readers.window({
      viewport: { width, height: width === 360 ? 740 : 800 },
      colorScheme: scheme,
      reducedMotion: 'reduce',
    })
    const faults: string[] = []
    page.on('pageerror', error => faults.push(String(error)))
    page.on('console', message => {
      // What the policy refuses and what React warns of are faults of the dashboard; a refused request is not.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text())
    })
    context.on('close', () => expect(faults.join('\n')).toBe(''))
    const open = async (path: string) => {
      await page.goto(`${root(readers.world)}/admin${path}`)
    }
    return { context, page, open }
  }
  const as = async (person: Person, look?: Look) => {
    const window = await anonymous(look)
    const answer = await window.context.request.post(`${root(readers.world)}/trpc/sessions.create`, {
      data: { handle: person.handle, password: PASSWORD },
    })
    expect(answer.status()).toBe(200)
    return window
  }
  return Object.assign(readers, { anonymous, as })
}

/** Where browsers find the main door; cookies belong to this name. */
export const root = (world: World): string => world.service.core.addresses.apiRoot

/** Waits until the keyboard is at what has this text. */
export const expectFocus = (page: Page, text: string): Promise<void> =>
  page.locator(':focus').filter({ hasText: text }).waitFor()

interface Violation {
  id: string
  help: string
  nodes: { html: string; failureSummary?: string }[]
}

/**
 * What axe finds wrong with the view as it is now, by WCAG 2.2 AA and its best practices.
 *
 * @returns one line for each element; empty when nothing is wrong
 */
export const violationsOf = async (page: Page): Promise<string[]> => {
  // The policy lets no script into the page; what a debugger evaluates is not held by it.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe)
  const violations = await page.evaluate<Violation[]>(
    "axe.run({ resultTypes: ['violations'], selectors: false }).then(({ violations }) => violations)",
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary ?? ''}`),
  )
}

/** Two pairs, each of which shows both widths and both schemes. */
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
let looked = 0

/**
 * Holds a view against WCAG in light and dark, wide and narrow, and against being wider than its window. Views take
 * turns in which width comes with which scheme. With `SHOTS` set to a folder, all four are looked at, and a picture of
 * each is kept there.
 *
 * @param name of the pictures
 */
export const expectAccessible = async (page: Page, name: string): Promise<void> => {
  const { SHOTS } = process.env
  looked += 1
  for (const { width, scheme } of SHOTS ? LOOKS.flat() : LOOKS[looked % 2]!) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 800 })
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
    // What follows from the change has been drawn two frames later.
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}-${width}-${scheme}.png`, fullPage: true })
    expect(await violationsOf(page), `${name}, ${width} px, ${scheme}`).toEqual([])
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(overflow, `${name} is wider than ${width} px`).toBeLessThanOrEqual(0)
  }
}
