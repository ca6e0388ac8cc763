import type { BrowserContext, Frame } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiver } from '../../facades/site/documents/receiver.ts'
import { launchBrowser } from './support/browser.ts'

/**
 * The tests answer all requests of the browser themselves. They serve the preview document without the headers that
 * forbid framing, to show that the document's own checks are enough.
 */
const DASHBOARD = 'http://dashboard.test'
const PREVIEW = 'http://preview.test'
const documents: Record<string, string> = {
  [`${DASHBOARD}/`]: `<iframe src="${PREVIEW}/"></iframe><iframe src="${DASHBOARD}/other"></iframe>`,
  [`${DASHBOARD}/other`]: '',
  'http://attacker.test/': `<iframe src="${PREVIEW}/"></iframe>`,
}

let browser: Awaited<ReturnType<typeof launchBrowser>>
let context: BrowserContext

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** Opens a document in a new window. Returns its main frame and the frames inside it. */
const open = async (address: string, mode: 'scripted' | 'static') => {
  context = await browser.newContext()
  await context.route('**', route => {
    const url = route.request().url()
    const body = url === `${PREVIEW}/` ? receiver(DASHBOARD, mode) : (documents[url] ?? '')
    return route.fulfill({ contentType: 'text/html', body })
  })
  const page = await context.newPage()
  await page.goto(address)
  const frameAt = (url: string) => page.frames().find(frame => frame.url() === url)!
  // A frame of another site can get its address a moment after the window has loaded.
  await expect.poll(() => frameAt(`${PREVIEW}/`)).toBeDefined()
  return { page: page.mainFrame(), preview: frameAt(`${PREVIEW}/`), other: frameAt(`${DASHBOARD}/other`) }
}

const send = (from: Frame, to: string) =>
  from.evaluate(`${to}.postMessage({ html: '<h1>Draft</h1>', site: 'http://site.test', top: 0 }, '*')`)

/** Returns the text that the preview shows, in its document or in the frame of a static draft. */
const shown = async (preview: Frame) =>
  (
    await Promise.all([preview, ...preview.childFrames()].map(frame => frame.locator('body').innerText()))
  ).join('')

/** Sends a draft from a frame to the preview, and expects that the preview ignores it. */
const expectIgnored = async (from: Frame, to: string, preview: Frame) => {
  // This listener is called after that of the preview, which shows a draft at once.
  const handled = preview.evaluate(
    `new Promise(resolve => addEventListener('message', () => resolve('handled')))`,
  )
  // Once this evaluation returns, the listener has been added.
  await preview.evaluate('0')
  await send(from, to)
  // A draft that is shown replaces the document, which removes the listener.
  const draft = preview
    .locator('h1, iframe')
    .waitFor()
    .then(() => 'shown')
  draft.catch(() => {})
  expect(await Promise.race([handled, draft])).toBe('handled')
  expect(await preview.locator('h1, iframe').count()).toBe(0)
}

describe.each(['scripted', 'static'] as const)('the receiver of %s drafts', mode => {
  test('shows a draft from its parent, the dashboard', async () => {
    const { page, preview } = await open(`${DASHBOARD}/`, mode)
    await send(page, 'frames[0]')
    await expect.poll(() => shown(preview)).toContain('Draft')
    await context.close()
  })

  test('ignores a draft from a parent of another origin', async () => {
    const { page, preview } = await open('http://attacker.test/', mode)
    await expectIgnored(page, 'frames[0]', preview)
    await context.close()
  })

  test('ignores a draft from a window that is not its parent', async () => {
    const { other, preview } = await open(`${DASHBOARD}/`, mode)
    await expectIgnored(other, 'parent.frames[0]', preview)
    await context.close()
  })
})
