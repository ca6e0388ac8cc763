/**
 * What a reader does with a page, and what the reader sees then: for static and scripted pages, compared with the same
 * pages served as plain files. A reporting page is a scripted one with the script that the service offers.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSite } from '../delivery/support/site.ts'
import { useReaderBrowser } from './support/delivery.ts'

const readerBrowser = useReaderBrowser()

const LONG = '<p style="height: 3000px">long</p>'

/** The pages of the site by slug. */
const PAGES: Record<string, string> = {
  index: '<!doctype html><title>Start</title><h1>Start</h1>',
  other: `<!doctype html><title>Other</title><h1>Other</h1>${LONG}<h2 id="far">far</h2>`,
  'new-windows':
    '<!doctype html><title>Base</title><base target="_top"><h1>Base</h1><a id="path" href="/other">a</a>',
  first: `<!doctype html><title>First</title><h1>First</h1>
<a id="relative" href="other">a</a> <a id="path" href="/other">a</a> <a id="start" href="/">a</a>
<a id="query" href="?tag=a">a</a> <a id="missing" href="/nowhere">a</a> <a id="base" href="/new-windows">a</a>
<a id="within" href="#far">a</a> <a id="beyond" href="/other#far">a</a> <a id="own" href="ROOT/first#far">a</a>
<a id="blank" href="other" target="_blank">a</a> <a id="top" href="other" target="_top">a</a>
<a id="top-within" href="#far" target="_top">a</a>
<form action="/other"><input name="q" value="x"><button id="send">send</button></form>
<form><input name="q" value="y"><button id="send-here">send here</button></form>
${LONG}<h2 id="far">far</h2>${LONG}<a id="below" href="/other">a</a>`,
}

const KINDS = ['plain', 'static', 'scripted', 'reporting'] as const
type Kind = (typeof KINDS)[number]

/** The site's address for each way of serving the pages. */
const roots = {} as Record<Kind, string>
let files: Server

beforeAll(async () => {
  files = createServer((req, res) => {
    const { pathname } = new URL(req.url!, 'http://plain')
    const html = PAGES[pathname === '/' ? 'index' : pathname.slice(1)]
    res.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Cache-Control', 'no-store')
    res
      .writeHead(html ? 200 : 404)
      .end(html?.replace('ROOT', roots.plain) ?? '<title>Not found</title><h1>Page not found</h1>')
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
        html.replace('<h1>', `${script}<h1>`).replace('ROOT', roots[kind]),
        kind === 'static' ? 'static' : 'scripted',
      )
    }
  }
})
afterAll(() => {
  files.closeAllConnections()
  files.close()
})

/** A reader's window. */
interface Reading {
  root: string
  context: BrowserContext
  page: Page
}

/** The frame with the page's content. */
const contentOf = (page: Page): Frame =>
  page.frames().find(frame => frame.url().includes('.pages.')) ?? page.mainFrame()

/** The value of an expression in the page's content; null while the content is being replaced. */
const evaluated = <Value>(page: Page, expression: string): Promise<Value | null> =>
  contentOf(page)
    .evaluate<Value>(expression)
    .catch(() => null)

/** Waits until the window shows a page with this heading. */
const arrive = async ({ page }: Pick<Reading, 'page'>, heading: string) => {
  await expect.poll(() => evaluated(page, `document.querySelector('h1')?.textContent`)).toBe(heading)
  await expect.poll(() => evaluated(page, 'document.readyState')).toBe('complete')
  await page.waitForLoadState()
}

/** Waits until the page is scrolled to a position, or far down. */
const reach = async ({ page }: Reading, top: number | 'far') => {
  const position = () => evaluated<number>(page, 'scrollY')
  if (top === 'far') await expect.poll(position).toBeGreaterThan(2000)
  else await expect.poll(position).toBe(top)
}

const scroll = async (reading: Reading, top: number) => {
  await contentOf(reading.page).evaluate(`scrollTo(0, ${top})`)
  await reach(reading, top)
  // Chromium stores the positions of frames once a second.
  await reading.page.waitForTimeout(1500)
}

/** Clicks a link without scrolling to it. */
const press = ({ page }: Reading, id: string) =>
  contentOf(page).evaluate(`document.querySelector('#${id}').click()`)

/** What the reader sees. */
const seen = async ({ root, page }: Reading) => ({
  address: page.url().replace(root, ''),
  title: await page.title(),
  heading: await evaluated(page, `document.querySelector('h1').textContent`),
})

/** Waits until the address is the expected one, so that a page that reports it has done so. */
const address = async ({ root, page }: Reading, expected: string) => {
  await expect.poll(() => page.url().replace(root, '')).toBe(expected)
}

const back = ({ page }: Reading) => page.evaluate('void history.back()')
const forward = ({ page }: Reading) => page.evaluate('void history.forward()')

const follow = (id: string, heading: string) => async (reading: Reading) => {
  await contentOf(reading.page).locator(`#${id}`).click()
  await arrive(reading, heading)
  return { ...(await seen(reading)), entries: await reading.page.evaluate('history.length') }
}

const followHere = (id: string, expected: string) => async (reading: Reading) => {
  await contentOf(reading.page).locator(`#${id}`).click()
  await address(reading, expected)
  await arrive(reading, 'First')
  return seen(reading)
}

/** Opens another tab with a click. */
const inNewTab =
  (id: string, options?: Parameters<ReturnType<Frame['locator']>['click']>[0]) =>
  async (reading: Reading) => {
    const opened = reading.context.waitForEvent('page')
    await contentOf(reading.page).locator(`#${id}`).click(options)
    const page = await opened
    await arrive({ page }, 'Other')
    return { here: await seen(reading), there: await seen({ ...reading, page }) }
  }

/** Something that a reader does on the page `first`. Returns what is compared. */
interface Action {
  what: string
  perform: (reading: Reading) => Promise<unknown>
  /** The ways of serving the pages in which it works as for plain files; by default all. */
  kinds?: Kind[]
}

/** Static pages have no forms, as the contract says. */
const WITH_FORMS: Kind[] = ['scripted', 'reporting']

/** Without its script, a framed page cannot tell the window these things. */
const WITH_REPORTS: Kind[] = ['static', 'reporting']

const ACTIONS: Action[] = [
  { what: 'follows a relative link', perform: follow('relative', 'Other') },
  { what: 'follows a link to a path', perform: follow('path', 'Other') },
  { what: 'follows a link to the start page', perform: follow('start', 'Start') },
  { what: 'follows a link to a query of the same page', perform: followHere('query', '/first?tag=a') },
  { what: 'follows a link for the whole window', perform: follow('top', 'Other') },
  {
    what: 'follows a link of a page with <base target="_top">',
    perform: async reading => {
      await follow('base', 'Base')(reading)
      return follow('path', 'Other')(reading)
    },
  },
  {
    what: 'follows a link to a missing page',
    perform: async reading => {
      const { heading, address: at } = await follow('missing', 'Page not found')(reading)
      return { heading, at }
    },
  },
  {
    what: 'follows a link to a place in another page',
    perform: async reading => {
      const arrived = await follow('beyond', 'Other')(reading)
      await reach(reading, 'far')
      return arrived
    },
  },
  {
    what: 'follows a link to a place on the page by its full address, and goes back',
    perform: async reading => {
      await press(reading, 'own')
      await reach(reading, 'far')
      await address(reading, '/first#far')
      await back(reading)
      await reach(reading, 0)
      return reading.page.title()
    },
  },
  {
    what: 'follows a link to a place on the page for the whole window',
    perform: async reading => {
      await press(reading, 'top-within')
      await address(reading, '/first#far')
      await reach(reading, 'far')
      return seen(reading)
    },
  },
  {
    what: 'follows a link to a place on the page, goes back and forward',
    perform: async reading => {
      await press(reading, 'within')
      await reach(reading, 'far')
      await back(reading)
      await reach(reading, 0)
      await forward(reading)
      await reach(reading, 'far')
      return reading.page.title()
    },
  },
  {
    what: 'follows links to places on the page, whose address the window shows',
    kinds: WITH_REPORTS,
    perform: async reading => {
      for (const id of ['within', 'own']) {
        await press(reading, id)
        await address(reading, '/first#far')
        await reach(reading, 'far')
        await back(reading)
        await address(reading, '/first')
        await reach(reading, 0)
      }
      return seen(reading)
    },
  },
  {
    what: 'types a fragment, and goes back',
    perform: async reading => {
      await reading.page.goto(`${reading.root}/first#far`)
      await reach(reading, 'far')
      await back(reading)
      await reach(reading, 0)
      return seen(reading)
    },
  },
  {
    what: 'scrolls, follows a link, goes back and forward',
    perform: async reading => {
      await scroll(reading, 1234)
      await press(reading, 'below')
      await arrive(reading, 'Other')
      await scroll(reading, 567)
      await back(reading)
      await arrive(reading, 'First')
      await reach(reading, 1234)
      const returned = await seen(reading)
      await forward(reading)
      await arrive(reading, 'Other')
      await reach(reading, 567)
      return [returned, await seen(reading), await reading.page.evaluate('history.length')]
    },
  },
  {
    what: 'goes to a place on the page, scrolls, follows a link and goes back',
    perform: async reading => {
      await press(reading, 'within')
      await reach(reading, 'far')
      await scroll(reading, 1234)
      await press(reading, 'below')
      await arrive(reading, 'Other')
      await back(reading)
      await arrive(reading, 'First')
      await reach(reading, 1234)
      return reading.page.evaluate('history.length')
    },
  },
  {
    what: 'scrolls and reloads',
    // Chromium forgets the position of a sandboxed document, which a static page is.
    kinds: ['reporting'],
    perform: async reading => {
      await scroll(reading, 1234)
      await reading.page.reload()
      await arrive(reading, 'First')
      await reach(reading, 1234)
      return seen(reading)
    },
  },
  { what: 'clicks a link with the middle button', perform: inNewTab('relative', { button: 'middle' }) },
  { what: 'clicks a link with Control', perform: inNewTab('path', { modifiers: ['ControlOrMeta'] }) },
  { what: 'clicks a link for a new window', perform: inNewTab('blank') },
  { what: 'sends a form to another page', kinds: WITH_FORMS, perform: follow('send', 'Other') },
  {
    what: 'sends a form to the same page',
    kinds: WITH_FORMS,
    perform: followHere('send-here', '/first?q=y'),
  },
  {
    what: 'presses Page Down',
    perform: async reading => {
      await reading.page.keyboard.press('PageDown')
      await expect.poll(() => evaluated<number>(reading.page, 'scrollY')).toBeGreaterThan(300)
      return seen(reading)
    },
  },
]

const perform = async (kind: Kind, action: Action['perform']) => {
  const { context, page } = await readerBrowser.window({ viewport: { width: 800, height: 600 } })
  const reading = { root: roots[kind], context, page }
  await page.goto(`${roots[kind]}/first`)
  await arrive(reading, 'First')
  const result = await action(reading)
  await context.close()
  return result
}

describe.each(ACTIONS.map(action => [action.what, action] as const))('a reader who %s', (_, action) => {
  const { kinds = ['static', ...WITH_FORMS] } = action
  it('sees the same as with plain files', async () => {
    const [plain, ...others] = await Promise.all(
      (['plain', ...kinds] as const).map(kind => perform(kind, action.perform)),
    )
    expect(Object.fromEntries(kinds.map((kind, index) => [kind, others[index]]))).toEqual(
      Object.fromEntries(kinds.map(kind => [kind, plain])),
    )
  })
})

describe('a page that reports to its window', () => {
  it('shows its address and title there, and keeps its state across Back', async () => {
    const { context, page } = await readerBrowser.window()
    const reading = { root: roots.reporting, context, page }
    await page.goto(`${reading.root}/first`)
    await arrive(reading, 'First')
    await contentOf(page).evaluate(
      `history.pushState(1, '', '/first?view=2'); document.title = 'Second view'`,
    )
    await address(reading, '/first?view=2')
    await expect.poll(() => page.title()).toBe('Second view')
    await back(reading)
    await address(reading, '/first')
    expect(await evaluated(page, 'location.search')).toBe('')
  })

  it('is printed whole', async () => {
    const { page } = await readerBrowser.window({ viewport: { width: 800, height: 600 } })
    const paperOf = async (kind: Kind) => {
      await page.goto(`${roots[kind]}/other`)
      await arrive({ page }, 'Other')
      await page.waitForTimeout(500)
      return (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g)?.length
    }
    expect(await paperOf('reporting')).toBe(await paperOf('plain'))
    expect(await paperOf('scripted')).toBe(1)
  })
})
