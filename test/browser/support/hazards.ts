/**
 * Opens pages in a real browser with nothing to hold them back, no policy and no sandbox, and tells what they did:
 * which scripts ran and what was sent to `/beacon`, by themselves or after a click on everything that can be clicked.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Browser } from 'playwright-core'

/** A page as a browser read it. */
export type Reading = { tree: unknown; quirks: boolean }

/** What pages did, as sentences with the number of the page where it is known; and how the browser read each page. */
export type Outcome = { deeds: string[]; readings: Reading[] }

/** How many pages are shown next to each other at a time. */
const atOnce = 40

const frames = readFileSync(new URL('frames.html', import.meta.url))
const dot = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Stands in for every function an attack calls; runs in each frame before anything of its page does. */
const watch = `
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'msgbox'])
    window[name] = () => { window.reportDeed('ran ' + name + ' in ' + location.href) }
`

/** Command line switches that keep the browser from asking anybody but this machine. */
export const offline = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  pages: readonly string[],
  deeds: string[],
): void {
  const path = request.url ?? '/'
  const page = /^\/page\/(\d+)$/.exec(path)?.[1]
  const destination = request.headers['sec-fetch-dest']
  if (path.includes('beacon')) {
    const from = request.headers.referer ?? String(request.headers['ping-from'])
    deeds.push(`${request.method} ${path} from ${from}`)
  }
  if (path === '/frames') {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(frames)
  } else if (page !== undefined) {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(pages[Number(page)])
  } else if (destination === 'image' && !path.startsWith('/m')) {
    response.setHeader('Content-Type', 'image/gif').end(dot)
  } else {
    // Without content, a link leaves the page it is on where it is, so that the next link can be tried.
    response.writeHead(path.startsWith('/m') ? 404 : 204).end()
  }
}

async function listen(
  pages: readonly string[],
  deeds: string[],
): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => answer(request, response, pages, deeds))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return { server, origin: `http://127.0.0.1:${address.port}` }
}

/** Opens all pages, some at a time, and waits for what they do. */
export async function openPages(browser: Browser, pages: readonly string[]): Promise<Outcome> {
  const deeds: string[] = []
  const readings: Reading[] = []
  const { server, origin } = await listen(pages, deeds)
  const context = await browser.newContext()
  try {
    await context.exposeBinding('reportDeed', (_, deed: string) => deeds.push(deed))
    await context.addInitScript({ content: watch })
    for (let from = 0; from < pages.length; from += atOnce) {
      const outer = await context.newPage()
      outer.on('dialog', dialog => {
        deeds.push(`opened a ${dialog.type()} dialog`)
        dialog.dismiss().catch(() => undefined)
      })
      await outer.goto(`${origin}/frames`)
      const range = JSON.stringify({ from, to: Math.min(from + atOnce, pages.length) })
      readings.push(...(await outer.evaluate<Reading[]>(`show(${range})`)))
      for (const page of context.pages()) await page.close()
    }
  } finally {
    await context.close()
    server.closeAllConnections()
    server.close()
  }
  return { deeds, readings }
}
