/**
 * Opens pages in a real browser without a policy or sandbox, and clicks everything clickable. Records which scripts
 * run, and which requests are sent to `/beacon`.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'

/** A page as a browser parsed it. */
export type Reading = { tree: unknown; quirks: boolean }

/**
 * What pages did, and how the browser parsed each page. Each event is one line. The line contains the number of the
 * page if this number is known.
 */
export type Outcome = { events: string[]; readings: Reading[] }

/** Number of pages that are opened at once. */
const batchSize = 40

const frames = readFileSync(new URL('frames.html', import.meta.url))
const dot = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Replaces the functions that attacks call, so that each call is reported. Runs before each frame's own scripts. */
const instrumentation = `
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'msgbox'])
    window[name] = () => { window.reportEvent('ran ' + name + ' in ' + location.href) }
`

/** Command line switches that restrict the browser to the local machine. */
export const offline = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  pages: readonly string[],
  events: string[],
): void {
  const path = request.url ?? '/'
  const page = /^\/page\/(\d+)$/.exec(path)?.[1]
  const destination = request.headers['sec-fetch-dest']
  if (path.includes('beacon')) {
    const from = request.headers.referer ?? String(request.headers['ping-from'])
    events.push(`${request.method} ${path} from ${from}`)
  }
  if (path === '/frames') {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(frames)
  } else if (page !== undefined) {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(pages[Number(page)])
  } else if (destination === 'image' && !path.startsWith('/m')) {
    response.setHeader('Content-Type', 'image/gif').end(dot)
  } else {
    // After a 204, the browser stays on the page, so that the next link can be clicked.
    response.writeHead(path.startsWith('/m') ? 404 : 204).end()
  }
}

async function listen(
  pages: readonly string[],
  events: string[],
): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => respond(request, response, pages, events))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return { server, origin: `http://127.0.0.1:${address.port}` }
}

/**
 * Opens all pages in batches and records what they do.
 *
 * @param isComplete whether all expected events have happened; each batch stays open until then, for up to 20 s
 */
export async function openPages(
  browser: Browser,
  pages: readonly string[],
  isComplete: (events: readonly string[]) => boolean = () => true,
): Promise<Outcome> {
  const events: string[] = []
  const readings: Reading[] = []
  const { server, origin } = await listen(pages, events)
  const context = await browser.newContext()
  try {
    await context.exposeBinding('reportEvent', (_, event: string) => events.push(event))
    await context.addInitScript({ content: instrumentation })
    for (let from = 0; from < pages.length; from += batchSize) {
      const outer = await context.newPage()
      outer.on('dialog', dialog => {
        events.push(`opened a ${dialog.type()} dialog`)
        dialog.dismiss().catch(() => undefined)
      })
      await outer.goto(`${origin}/frames`)
      const range = JSON.stringify({ from, to: Math.min(from + batchSize, pages.length) })
      readings.push(...(await outer.evaluate<Reading[]>(`show(${range})`)))
      for (const end = Date.now() + 20_000; !isComplete(events) && Date.now() < end; ) await sleep(50)
      for (const page of context.pages()) await page.close()
    }
  } finally {
    await context.close()
    server.closeAllConnections()
    server.close()
  }
  return { events, readings }
}
