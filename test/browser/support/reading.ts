/**
 * Compares what readers see when the same pages are served in four ways: as plain files, as static pages of a site, as
 * scripted pages, and as reporting pages. A reporting page is a scripted page with the optional script `/_page.js`.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSite } from '../../delivery/support/site.ts'
import { type ReaderBrowser, useReaderBrowser } from './delivery.ts'

const LONG = '<p style="height: 3000px">long</p>'

/** Metadata, written exactly as the sanitizer writes it. */
const METADATA = `<meta name="description" content="About &amp; more"><meta name="theme-color" content="#123456">
<meta property="og:title" content="First of all"><meta property="og:image" content="https://example.com/a.png">
<link rel="icon" href="data:image/gif;base64,R0lGODlhAQABAAAAACw="><link rel="canonical" href="https://example.com/first">
<link rel="alternate" type="application/atom+xml" href="https://example.com/feed" title="News">`

/** An address of each scheme that other programs open. */
export const PROGRAMS = {
  mailto: 'mailto:ann@example.com',
  tel: 'tel:+15550100',
  sms: 'sms:+15550100',
  geo: 'geo:52.5,13.4',
  xmpp: 'xmpp:ann@example.com',
  matrix: 'matrix:u/ann:example.com',
}

/** Elements that open an address, each in another way. */
const waysTo = ([scheme, address]: [string, string]) => `<a id="link-${scheme}" href="${address}">a</a>
<a id="top-${scheme}" target="_top" href="${address}">a</a>
<form action="${address}" method="post"><button id="form-${scheme}">b</button></form>
<button id="href-${scheme}" onclick="location.href = '${address}'">b</button>
<button id="assign-${scheme}" onclick="location.assign('${address}')">b</button>
<button id="open-${scheme}" onclick="window.open('${address}', '_top')">b</button>`

/** The pages of the site by slug. */
const PAGES: Record<string, string> = {
  index: '<!doctype html><title>Start</title><h1>Start</h1>',
  other: `<!doctype html><title>Other</title><h1>Other</h1>${LONG}<h2 id="far">far</h2>`,
  'new-windows':
    '<!doctype html><title>Base</title><base target="_top"><h1>Base</h1><a id="path" href="/other">a</a>',
  programs: `<!doctype html><title>Programs</title><h1>Programs</h1>${Object.entries(PROGRAMS).map(waysTo).join('')}`,
  first: `<!doctype html><html lang="de"><title>First</title>${METADATA}<h1>First</h1>
<a id="relative" href="other">a</a> <a id="path" href="/other">a</a> <a id="start" href="/">a</a>
<a id="query" href="?tag=a">a</a> <a id="missing" href="/nowhere">a</a> <a id="base" href="/new-windows">a</a>
<a id="within" href="#far">a</a> <a id="beyond" href="/other#far">a</a> <a id="own" href="ROOT/first#far">a</a>
<a id="blank" href="other" target="_blank">a</a> <a id="top" href="other" target="_top">a</a>
<a id="top-within" href="#far" target="_top">a</a>
<button id="script" onclick="location.href = '/other'">b</button>
<button id="download" onclick="location.href = 'data:application/zip;base64,UEsFBg=='">b</button>
<form action="ELSEWHERE" method="post" target="_top"><button id="send-away">send</button></form>
<form action="/other"><input id="field" name="q" value="x"><button id="send">send</button></form>
<form><input name="q" value="y"><button id="send-here">send here</button></form>
${LONG}<h2 id="far">far</h2>${LONG}<a id="below" href="/other">a</a>`,
}

/**
 * Some pages are shown in a frame inside the window. This switch keeps the frame and the window in one process. Without
 * the switch, they have separate processes. A link to the same site then moves the frame to the window's process and
 * back. If this happens fast, Playwright 1.65 misses the frame's last document. The other browser tests run without the
 * switch.
 */
const ONE_PROCESS = '--disable-site-isolation-trials'

const KINDS = ['plain', 'static', 'scripted', 'reporting'] as const
export type Kind = (typeof KINDS)[number]

/** A browser for readers, and the sites that they open in it. */
export interface Readers extends ReaderBrowser {
  /** The address of the site for each kind of page. */
  roots: Record<Kind, string>
  /** Opens the page `first` in a new window, performs the action there and returns its result. */
  perform: (kind: Kind, action: Action['perform']) => Promise<unknown>
}

/** Starts the service, a browser and a server of plain files before the tests of a file, and stops them afterwards. */
export const useReaders = (): Readers => {
  const readerBrowser = useReaderBrowser({}, [ONE_PROCESS])
  const roots = {} as Record<Kind, string>
  let files: Server
  /** Completes the addresses in a page of a site. The server of plain files is also the other website. */
  const at = (root: string, html: string) =>
    html.replace('ROOT', root).replace('ELSEWHERE', `${roots.plain.replace('plain', 'elsewhere')}/other`)
  beforeAll(async () => {
    files = createServer((req, res) => {
      const { pathname } = new URL(req.url!, 'http://plain')
      const html = PAGES[pathname === '/' ? 'index' : pathname.slice(1)]
      res.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Cache-Control', 'no-store')
      res
        .writeHead(html ? 200 : 404)
        .end(html ? at(roots.plain, html) : '<title>Not found</title><h1>Page not found</h1>')
    }).listen(0, '127.0.0.1')
    await once(files, 'listening')
    roots.plain = `http://plain.localhost:${(files.address() as AddressInfo).port}`
    for (const kind of ['static', 'scripted', 'reporting'] as const) {
      const site = await newSite(readerBrowser.service)
      roots[kind] = readerBrowser.service.core.addresses.site(site.space.subdomain)
      for (const [slug, html] of Object.entries(PAGES)) {
        const script = kind === 'reporting' ? '<script src="/_page.js" async></script>' : ''
        await site.page(
          slug,
          at(roots[kind], html.replace('<h1>', `${script}<h1>`)),
          kind === 'static' ? 'static' : 'scripted',
        )
      }
    }
  })
  afterAll(() => {
    files.closeAllConnections()
    files.close()
  })
  const perform: Readers['perform'] = async (kind, action) => {
    const { context, page } = await readerBrowser.window({ viewport: { width: 800, height: 600 } })
    const reading = { root: roots[kind], context, page }
    await page.goto(`${roots[kind]}/first`)
    await arrive(reading, 'First')
    const result = await action(reading).catch((cause: unknown) => {
      throw new Error(`The action failed on ${kind} pages, at ${page.url()}`, { cause })
    })
    await context.close()
    return result
  }
  return Object.assign(readerBrowser, { roots, perform })
}

/** A reader's window. */
export interface Reading {
  root: string
  context: BrowserContext
  page: Page
}

/** Returns the frame with the page's content. */
export const contentOf = (page: Page): Frame =>
  page.frames().find(frame => frame.url().includes('.pages.')) ?? page.mainFrame()

/** Evaluates an expression in the page's content. Returns null while the content is being replaced. */
export const evaluated = <Value>(page: Page, expression: string): Promise<Value | null> =>
  contentOf(page)
    .evaluate<Value>(expression)
    .catch(() => null)

/** Waits until the window shows a page with this heading. */
export const arrive = async ({ page }: Pick<Reading, 'page'>, heading: string) => {
  await expect.poll(() => evaluated(page, `document.querySelector('h1')?.textContent`)).toBe(heading)
  await expect.poll(() => evaluated(page, 'document.readyState')).toBe('complete')
  await page.waitForLoadState()
}

/** Waits until the page is scrolled to a position, or beyond 2,000 pixels for `far`. */
export const reach = async ({ page }: Reading, top: number | 'far') => {
  const position = () => evaluated<number>(page, 'scrollY')
  if (top === 'far') await expect.poll(position).toBeGreaterThan(2000)
  else await expect.poll(position).toBe(top)
}

/**
 * Waits until the browser has saved the scroll position of the page, and the page has reported it.
 *
 * Chromium saves the position of a frame within a second. A page cannot see when that has happened, so this waits a
 * little longer. The timer runs in the browser: if the browser is slow, the timer is late too. The main frame needs no
 * wait, because its position is saved when the reader leaves.
 */
export const settle = async ({ page }: Reading) => {
  const content = contentOf(page)
  if (content !== page.mainFrame())
    await content.evaluate('new Promise(resolve => setTimeout(resolve, 1500))')
}

export const scroll = async (reading: Reading, top: number) => {
  await contentOf(reading.page).evaluate(`scrollTo(0, ${top})`)
  await reach(reading, top)
  await settle(reading)
}

/** Presses a key until the page is scrolled beyond a position. A page gets the focus a moment after it has loaded. */
export const scrollByKey = async ({ page }: Reading, key: string, top: number) => {
  const press = async () => {
    await page.keyboard.press(key)
    return evaluated<number>(page, 'scrollY')
  }
  await expect.poll(press, { interval: 500 }).toBeGreaterThan(top)
}

/** Turns the wheel until the page is scrolled far. A page accepts input a moment after it has loaded. */
export const scrollByWheel = async ({ page }: Reading, distance: number) => {
  const turn = async () => {
    await page.mouse.wheel(0, distance)
    return evaluated<number>(page, 'scrollY')
  }
  await expect.poll(turn, { interval: 500 }).toBeGreaterThan(2000)
}

/**
 * Presses Enter on an element until the window shows a page with another heading.
 *
 * Presses the key again if the first press has no effect. Keys go to the frame that has the focus, and a frame gets the
 * focus only a moment after it has requested it.
 */
export const pressEnter = async (reading: Reading, id: string, expected: string) => {
  const heading = () => evaluated(reading.page, `document.querySelector('h1')?.textContent`)
  const press = async () => {
    const element = contentOf(reading.page).locator(`#${id}`)
    // The document can be gone before the key has been pressed.
    if ((await heading()) !== expected) await element.press('Enter', { timeout: 2000 }).catch(() => undefined)
    return heading()
  }
  await expect.poll(press, { interval: 2000 }).toBe(expected)
  await arrive(reading, expected)
}

/** Selects everything with the keyboard, and returns the selected text. */
export const selectAll = async ({ page }: Reading): Promise<string> => {
  let text = ''
  const press = async () => {
    await page.keyboard.press('ControlOrMeta+a')
    text = (await evaluated<string>(page, 'getSelection().toString()')) ?? ''
    return text
  }
  await expect.poll(press, { interval: 500 }).toContain('First')
  return text
}

/** Clicks a link without scrolling to it. */
export const press = ({ page }: Reading, id: string) =>
  contentOf(page).evaluate(`document.querySelector('#${id}').click()`)

/** Returns what the reader sees. */
export const seen = async ({ root, page }: Reading) => ({
  address: page.url().replace(root, ''),
  title: await page.title(),
  heading: await evaluated(page, `document.querySelector('h1').textContent`),
})

/** Waits until the window has the expected address. A page with `/_page.js` changes the address after a delay. */
export const address = async ({ root, page }: Reading, expected: string) => {
  await expect.poll(() => page.url().replace(root, '')).toBe(expected)
}

/** Goes back or forward in the browser's history. The navigation can destroy the document before the call returns. */
const go = ({ page }: Reading, steps: number) =>
  page.evaluate(`void history.go(${steps})`).catch((error: Error) => {
    if (!error.message.includes('Execution context was destroyed')) throw error
  })

export const back = (reading: Reading) => go(reading, -1)
export const forward = (reading: Reading) => go(reading, 1)

/** An action of a reader on the page `first`. */
export interface Action {
  what: string
  perform: (reading: Reading) => Promise<unknown>
  /** The kinds of pages that are compared with plain files; by default all. */
  kinds?: Kind[]
}

/** Static pages have no forms, as the contract says. */
export const WITH_FORMS: Kind[] = ['scripted', 'reporting']

/**
 * Kinds of pages whose title and address always appear in the window. The window learns the title and address of other
 * scripted pages only if they load `/_page.js`.
 */
export const WITH_REPORTS: Kind[] = ['static', 'reporting']

/**
 * Declares a test for each action. The test compares the result on pages of each kind with the result on plain files.
 */
export const compareWithPlainFiles = (readers: Readers, actions: readonly Action[]) => {
  describe.each(actions.map(action => [action.what, action] as const))('a reader who %s', (_, action) => {
    const { kinds = ['static', ...WITH_FORMS] } = action
    it('sees the same on a site as on a server of plain files', async () => {
      const [plain, ...others] = await Promise.all(
        (['plain', ...kinds] as const).map(kind => readers.perform(kind, action.perform)),
      )
      expect(Object.fromEntries(kinds.map((kind, index) => [kind, others[index]]))).toEqual(
        Object.fromEntries(kinds.map(kind => [kind, plain])),
      )
    })
  })
}
