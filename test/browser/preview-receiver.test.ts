import { setTimeout as sleep } from 'node:timers/promises'
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
  return { page: page.mainFrame(), preview: frameAt(`${PREVIEW}/`), other: frameAt(`${DASHBOARD}/other`) }
}

/** Sends a draft from a frame to the preview and resolves when the preview has handled it. */
const send = async (from: Frame, to: string, preview: Frame) => {
  const handled = preview.evaluate(
    `new Promise(resolve => addEventListener('message', () => setTimeout(resolve, 50)))`,
  )
  // Once this evaluation returns, the listener above has been added.
  await preview.evaluate('0')
  await from.evaluate(`${to}.postMessage({ html: '<h1>Draft</h1>', site: 'http://site.test', top: 0 }, '*')`)
  // A scripted draft replaces the document, which removes the listener. In that case, stop waiting after 1 s.
  await Promise.race([handled, sleep(1000)])
}

/** Returns the text that the preview shows, in its document or in the frame of a static draft. */
const shown = async (preview: Frame) =>
  (
    await Promise.all([preview, ...preview.childFrames()].map(frame => frame.locator('body').innerText()))
  ).join('')

describe.each(['scripted', 'static'] as const)('the receiver of %s drafts', mode => {
  test('shows a draft from its parent, the dashboard', async () => {
    const { page, preview } = await open(`${DASHBOARD}/`, mode)
    await send(page, 'frames[0]', preview)
    await expect.poll(() => shown(preview)).toContain('Draft')
    await context.close()
  })

  test('ignores a draft from a parent of another origin', async () => {
    const { page, preview } = await open('http://attacker.test/', mode)
    await send(page, 'frames[0]', preview)
    expect(await shown(preview)).not.toContain('Draft')
    await context.close()
  })

  test('ignores a draft from a window that is not its parent', async () => {
    const { other, preview } = await open(`${DASHBOARD}/`, mode)
    await send(other, 'parent.frames[0]', preview)
    expect(await shown(preview)).not.toContain('Draft')
    await context.close()
  })
})
