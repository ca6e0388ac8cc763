/** Runs a service whose content domains a real browser can open, and opens windows that record what pages do. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Settings } from '../../../server/settings/settings.ts'
import { freePort } from '../../support/program.ts'
import { startTestService, type TestService } from '../../support/test-service.ts'
import { launchBrowser } from './browser.ts'
import { RECORD_NOTICES } from './notices.ts'

/** The service and the browser of a test file. */
export interface ReaderBrowser {
  service: TestService
  /** Opens a window with a new profile. */
  window(options?: Parameters<Browser['newContext']>[0]): Promise<Window>
}

export interface Window {
  context: BrowserContext
  page: Page
  /** All console messages that start with `ran`, from any frame, and all dialogs. */
  events: string[]
}

/** The browsers that this test worker has started, by their switches. */
const browsers = new Map<string, Promise<Browser>>()

/**
 * Returns a browser that all test files of a worker share, because its start takes longer than many tests. Windows have
 * profiles of their own. The browser ends with the worker.
 */
const sharedBrowser = async (switches: readonly string[]): Promise<Browser> => {
  const key = switches.join(' ')
  const running = await browsers.get(key)
  if (running?.isConnected()) return running
  const started = launchBrowser(switches)
  browsers.set(key, started)
  return started
}

/**
 * Starts the service before the tests of a file and stops it afterwards. The content domains are below `localhost`,
 * which browsers resolve.
 *
 * @param settings override the default settings of tests
 * @param switches further command line switches of the browser
 */
export const useReaderBrowser = (
  settings: Partial<Settings> = {},
  switches: readonly string[] = [],
): ReaderBrowser => {
  const readerBrowser = {} as ReaderBrowser
  let browser: Browser
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    const port = await freePort()
    readerBrowser.service = await startTestService({
      port,
      apiRoot: `http://localhost:${port}`,
      siteDomain: `sites.localhost:${port}`,
      pagesDomain: `pages.localhost:${port}`,
      filesDomain: `files.localhost:${port}`,
      postsDomain: `posts.localhost:${port}`,
      ...settings,
    })
    browser = await sharedBrowser(['--autoplay-policy=no-user-gesture-required', ...switches])
    readerBrowser.window = async options => {
      const context = await browser.newContext(options)
      // Long enough for a busy machine.
      context.setDefaultTimeout(60_000)
      await context.addInitScript({ content: RECORD_NOTICES })
      contexts.push(context)
      const events: string[] = []
      context.on('console', message => void (message.text().startsWith('ran') && events.push(message.text())))
      context.on('dialog', dialog => {
        events.push(`${dialog.type()} ${dialog.message()}`)
        void dialog.dismiss()
      })
      return { context, page: await context.newPage(), events }
    }
  })
  const close = (windows: BrowserContext[]) => Promise.all(windows.map(context => context.close()))
  // Close the windows of each test, so that their scripts don't run during the next tests.
  let before = 0
  beforeEach(() => {
    before = contexts.length
  })
  afterEach(() => close(contexts.splice(before)))
  afterAll(async () => {
    await close(contexts)
    await readerBrowser.service.stop()
  })
  return readerBrowser
}

/** How long to wait for the effect of a click before clicking again, in ms. */
const CLICK_AGAIN = 2_000

/**
 * Clicks an element in a frame until something has happened. The browser drops clicks until it has painted the frame for
 * the first time. If it is slow, it can also take a second click.
 */
export const clickUntil = async (element: Locator, hasHappened: () => boolean): Promise<void> => {
  let clickedAt = Number.NEGATIVE_INFINITY
  const click = async () => {
    if (!hasHappened() && Date.now() - clickedAt > CLICK_AGAIN) {
      // The click before can have had its effect in the meantime, and the element is gone.
      await element.click({ timeout: 10_000 }).catch(() => {})
      clickedAt = Date.now()
    }
    return hasHappened()
  }
  await expect.poll(click).toBe(true)
}
