import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page, Request } from 'playwright-core'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { newId } from '../../db/id.ts'
import { newSite, type TestSite } from '../delivery/support/site.ts'
import { requestHost } from '../support/request-host.ts'
import { useReaderBrowser } from './support/delivery.ts'

const readerBrowser = useReaderBrowser()
let site: TestSite
let root: string

beforeEach(async () => {
  site = await newSite(readerBrowser.service)
  root = readerBrowser.service.core.addresses.site(site.space.subdomain)
})

const originOf = ({ id }: { id: string }) => readerBrowser.service.core.addresses.pageOrigin(id)

/** Returns the frame of a scripted page in the window of its site, once the frame has got its address. */
const frameOf = async (page: Page, created: { id: string }): Promise<Frame> => {
  const find = () => page.frames().find(frame => frame.url().startsWith(`${originOf(created)}/`))
  await expect.poll(find, { message: `the frame of ${originOf(created)}` }).toBeDefined()
  return find()!
}

/** Evaluates an expression in a frame. Returns its value, or the name of the error it throws. */
const attempt = (frame: Frame, expression: string): Promise<unknown> =>
  frame.evaluate(
    `(async () => { try { return await (${expression}) } catch (error) { return error.name } })()`,
  )

describe('the script of a scripted page', () => {
  it('runs on a separate origin, in a frame that fills the window', async () => {
    const created = await site.page(
      'app',
      '<title>App</title><script>console.log("ran " + origin)</script>',
      'scripted',
    )
    const { page, events } = await readerBrowser.window({ viewport: { width: 800, height: 600 } })
    await page.goto(created.url)
    await expect.poll(() => events).toEqual([`ran ${originOf(created)}`])
    expect(await page.title()).toBe('App')
    expect(page.url()).toBe(created.url)
    expect(await page.locator('iframe').boundingBox()).toEqual({ x: 0, y: 0, width: 800, height: 600 })
    expect(await attempt(await frameOf(page, created), 'window.originAgentCluster')).toBe(true)
  })

  it('cannot access the site around it', async () => {
    const created = await site.page('app', 'text', 'scripted')
    const { context, page } = await readerBrowser.window()
    await context.addCookies([{ name: 'secret', value: 'of-the-site', url: root }])
    await page.goto(created.url)
    const frame = await frameOf(page, created)
    for (const expression of [
      'parent.document',
      'top.location.href',
      'parent.localStorage',
      'frameElement.id',
    ])
      expect(await attempt(frame, expression)).toMatch(/SecurityError|TypeError/)
    expect(await attempt(frame, 'document.cookie')).toBe('')
    for (const address of [root, `${root}/app`, `${root}/articles`])
      expect(await attempt(frame, `fetch('${address}', { credentials: 'include' })`)).toBe('TypeError')
  })

  it('cannot access another page of the same space or of another space', async () => {
    const keep = `<script>localStorage.secret = 'x'; sessionStorage.secret = 'x'; document.cookie = 'secret=x'</script>`
    const other = await newSite(readerBrowser.service)
    const first = await site.page('keeper', keep, 'scripted')
    const reader = await site.page('reader', 'text', 'scripted')
    const foreign = await other.page('reader', 'text', 'scripted')
    const { page } = await readerBrowser.window()
    const kept = '[localStorage.secret, sessionStorage.secret, document.cookie].join()'
    await page.goto(`${originOf(first)}/`)
    expect(await attempt(page.mainFrame(), kept)).toBe('x,x,secret=x')
    for (const created of [reader, foreign]) {
      await page.goto(`${originOf(created)}/`)
      expect(await attempt(page.mainFrame(), kept)).toBe(',,')
      expect(await attempt(page.mainFrame(), `fetch('${originOf(first)}/')`)).toBe('TypeError')
      await page.goto(created.url)
      // Browsers that block storage in cross-site frames throw a SecurityError.
      expect(await attempt(await frameOf(page, created), kept)).toMatch(/^,,$|^SecurityError$/)
    }
  })

  it('cannot frame another page', async () => {
    const first = await site.page('first', 'text', 'scripted')
    const created = await site.page('app', `<iframe src="${originOf(first)}/"></iframe>`, 'scripted')
    const { page } = await readerBrowser.window()
    await page.goto(created.url)
    await expect.poll(() => page.frames()[2]?.url()).toBe('chrome-error://chromewebdata/')
  })

  it('can navigate the window only on a click', async () => {
    const created = await site.page(
      'app',
      `<script>
        for (const leave of [() => { top.location = '${root}/one' }, () => { top.location.replace('${root}/two') },
          () => top.open('${root}/three', '_top')])
          try { leave() } catch (error) { console.log('ran into ' + error.name) }
        console.log('ran to the end')
      </script><button onclick="top.location = '${root}/articles'">Go</button>`,
      'scripted',
    )
    const { page, events } = await readerBrowser.window()
    const requested: string[] = []
    page.on('request', request => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requested.push(request.url())
    })
    await page.goto(created.url)
    await expect.poll(() => events).toContain('ran to the end')
    const frame = await frameOf(page, created)
    await frame.getByRole('button').click()
    await page.waitForURL(`${root}/articles`)
    expect(requested).toEqual([created.url, `${root}/articles`])
  })

  it('cannot register a service worker', async () => {
    const created = await site.page('app', 'text', 'scripted')
    const { page } = await readerBrowser.window()
    await page.goto(created.url)
    const frame = await frameOf(page, created)
    for (const path of ['/sw.js', '/'])
      expect(await attempt(frame, `navigator.serviceWorker.register('${path}')`)).toMatch(/Error/)
  })

  it('has the same limits whether the page is opened on the site or directly on its own origin', async () => {
    const created = await site.page('app', '<script>console.log("ran " + origin)</script>', 'scripted')
    const { page, events } = await readerBrowser.window()
    await page.goto(`${originOf(created)}/`)
    await expect.poll(() => events).toEqual([`ran ${originOf(created)}`])
    expect(await attempt(page.mainFrame(), 'document.cookie')).toBe('')
    expect(await attempt(page.mainFrame(), `fetch('${root}/app')`)).toBe('TypeError')
  })
})

/** A document that tries every way to run a script. */
const ATTACK = `<!doctype html><body onload="console.log('ran onload')"><script>console.log('ran script')</script>
<img src="/none" onerror="console.log('ran onerror')"><svg onload="console.log('ran svg')"></svg>
<iframe srcdoc="<script>console.log('ran frame')</script>"></iframe>
<iframe src="javascript:console.log('ran frame address')"></iframe>
<a id="link" href="javascript:console.log('ran link')">link</a>
<form id="form" action="/articles"><button>send</button></form>
<object data="data:text/html,<script>console.log('ran object')</script>"></object>
<meta http-equiv="refresh" content="0; url=javascript:console.log('ran refresh')"></body>`

/** The names of its scripts that a browser runs if nothing forbids it. */
const ATTACKS = ['frame', 'frame address', 'link', 'object', 'onerror', 'onload', 'script', 'svg']

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" onload="console.log('ran onload')">
<script>console.log('ran script')</script><rect width="100" height="100" fill="green"/>
<a href="javascript:console.log('ran link')"><text id="link" y="50">link</text></a>
<foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;console.log('ran frame')&lt;/script&gt;"/></foreignObject></svg>`

/** Serves a document on another port until the end of the test. Returns its address. */
const serve = async (document: string, headers: Record<string, string | string[]>) => {
  const server = createServer((_req, res) => {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    res.end(document)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://about.localhost:${(server.address() as AddressInfo).port}/about`
}

/**
 * Opens a document without a policy in a new window, and waits until all its scripts have run there. Windows that were
 * opened before have then had the time to run them too.
 */
const runUnguarded = async (document: string, type: string, scripts: string[]) => {
  const { page, events } = await readerBrowser.window()
  await page.goto(await serve(document, { 'content-type': type }))
  await page.locator('#link').click()
  await expect.poll(() => events.toSorted()).toEqual(scripts.map(name => `ran ${name}`))
}

describe('a document with scripts', () => {
  it('runs no script if it is the body of a static page', async () => {
    const created = await site.page('about', ATTACK)
    const { page, events } = await readerBrowser.window()
    await page.goto(created.url)
    await page.locator('#link').click()
    await runUnguarded(ATTACK, 'text/html', ATTACKS)
    expect(events).toEqual([])
    expect(page.url()).toBe(created.url)
  })

  it('runs no script if it is sent with the policy of a static page, even if it is not sanitized', async () => {
    const created = await site.page('about', 'text')
    const { headers } = await requestHost(readerBrowser.service, new URL(created.url).host, '/about')
    const policy = ['content-security-policy', 'content-type', 'x-content-type-options']
    const guarded = await serve(ATTACK, Object.fromEntries(policy.map(name => [name, headers[name]!])))
    const { page, events } = await readerBrowser.window()
    await page.goto(guarded)
    await page.locator('#link').click()
    await page.getByRole('button').click()
    await runUnguarded(ATTACK, 'text/html', ATTACKS)
    expect(events).toEqual([])
    expect(page.url()).toBe(guarded)
  })

  it.each(['inline', 'in a frame', 'as an image', 'as an object'])(
    'runs no script if it is an SVG file and is shown %s',
    async way => {
      const file = await site.file('a.svg', SVG)
      const elements: Record<string, string> = {
        'in a frame': `<iframe src="${file.url}"></iframe>`,
        'as an image': `<img src="${file.url}">`,
        'as an object': `<object data="${file.url}"></object>`,
      }
      const { page, events } = await readerBrowser.window()
      const element = elements[way]
      await page.goto(element ? (await site.page('app', element, 'scripted')).url : file.url)
      if (!element) await page.locator('#link').click()
      await runUnguarded(SVG, 'image/svg+xml', ['frame', 'link', 'onload', 'script'])
      expect(events).toEqual([])
    },
  )

  it.each(['a.html', 'a.xhtml', 'a.js', 'a.unknown', 'a.xml'])(
    'is downloaded instead of opened if it is a file called %s',
    async name => {
      const file = await site.file(name, ATTACK)
      const { page, events } = await readerBrowser.window()
      const download = page.waitForEvent('download')
      await page.goto(file.url).catch(() => {})
      expect((await download).suggestedFilename()).toBe(name)
      expect(events).toEqual([])
    },
  )

  it('runs no script if it is a text file that a page loads with <script>', async () => {
    const file = await site.file('a.txt', 'console.log("ran text")')
    const created = await site.page(
      'app',
      `<script src="${file.url}"></script><script>console.log('ran after it')</script>`,
      'scripted',
    )
    const { page, events } = await readerBrowser.window()
    await page.goto(created.url)
    await expect.poll(() => events).toEqual(['ran after it'])
  })
})

describe('a draft that a preview link shows', () => {
  /** Keeps a draft of a new page, and creates a link to it. */
  const linkTo = async (kind: 'scripted' | 'static', html: string, { owner, subdomain } = site.space) => {
    const thing = newId()
    const fields = { slug: 'draft-page', kind, html }
    await owner.unsaved.keep({ subdomain, kind: 'page', thing, is_new: true, fields, base: null })
    return owner.previewLinks.create({ subdomain, thing })
  }

  it('runs its scripts on an origin of its own, apart from pages, other drafts and the dashboard', async () => {
    const { service } = readerBrowser
    const keep = `<script>localStorage.secret = 'x'; document.cookie = 'secret=x'; console.log('ran ' + origin)</script>`
    const link = await linkTo('scripted', keep)
    const other = await linkTo('scripted', 'text')
    const created = await site.page('app', 'text', 'scripted')
    const { page, context, events } = await readerBrowser.window()
    await context.addCookies([{ name: 'secret', value: 'of-main', url: service.core.addresses.apiRoot }])
    await page.goto(link.url)
    await expect.poll(() => events).toEqual([`ran ${new URL(link.url).origin}`])
    expect(await attempt(page.mainFrame(), '[localStorage.secret, document.cookie].join()')).toBe(
      'x,secret=x',
    )
    for (const address of [other.url, `${originOf(created)}/`, `${root}/app`, service.core.addresses.apiRoot])
      expect(await attempt(page.mainFrame(), `fetch('${address}', { credentials: 'include' })`)).toBe(
        'TypeError',
      )
    for (const address of [other.url, `${originOf(created)}/`]) {
      await page.goto(address)
      expect(await attempt(page.mainFrame(), '[localStorage.secret, document.cookie].join()')).toBe(',')
    }
  })

  it('cannot be framed, not even by a page of its site', async () => {
    const link = await linkTo('scripted', 'text')
    const created = await site.page('app', `<iframe src="${link.url}"></iframe>`, 'scripted')
    const { page } = await readerBrowser.window()
    await page.goto(created.url)
    await expect.poll(() => page.frames()[2]?.url()).toBe('chrome-error://chromewebdata/')
  })

  it('runs no script if it is static', async () => {
    const link = await linkTo('static', ATTACK)
    const { page, events } = await readerBrowser.window()
    await page.goto(link.url)
    await page.locator('#link').click()
    await runUnguarded(ATTACK, 'text/html', ATTACKS)
    expect(events).toEqual([])
    expect(page.url()).toBe(link.url)
  })

  it.each(['scripted', 'static'] as const)(
    'never tells its address to what it loads and links to (%s)',
    async kind => {
      const referrers: unknown[] = []
      const server = createServer((req, res) => {
        referrers.push([req.url, req.headers.referer])
        res
          .setHeader('content-type', req.url === '/picture' ? 'image/svg+xml' : 'text/html')
          .end('<p>elsewhere')
      }).listen(0, '127.0.0.1')
      onTestFinished(() => {
        server.closeAllConnections()
        server.close()
      })
      await once(server, 'listening')
      const elsewhere = `http://elsewhere.localhost:${(server.address() as AddressInfo).port}`
      const link = await linkTo(
        kind,
        `<img src="${elsewhere}/picture" alt=""><a href="${elsewhere}/linked">there</a><a href="/articles">here</a>`,
      )
      const { page } = await readerBrowser.window()
      await page.goto(link.url)
      await expect.poll(() => referrers).toContainEqual(['/picture', undefined])
      await page.getByRole('link', { name: 'there' }).click()
      await page.waitForURL(`${elsewhere}/linked`)
      expect(referrers).toContainEqual(['/linked', undefined])
      await page.goto(link.url)
      const request = page.waitForRequest(`${root}/articles`)
      await page.getByRole('link', { name: 'here', exact: true }).click()
      expect(await (await request).headerValue('referer')).toBeNull()
      await page.waitForURL(`${root}/articles`)
    },
  )
})

describe('a cookie', () => {
  it('is sent only to the origin of the page that set it, and the service sets no cookie itself', async () => {
    const file = await site.file('a.png', 'not really')
    const created = await site.page(
      'app',
      `<script>document.cookie = 'mine=1'</script><img src="${file.url}">`,
      'scripted',
    )
    const { context, page } = await readerBrowser.window()
    const sent: string[] = []
    const read = async (request: Request) => {
      // The headers of a request that is on its way when the window closes cannot be read.
      const { cookie } = await request.allHeaders().catch(() => ({ cookie: undefined }))
      if (cookie) sent.push(`${cookie} to ${request.url()}`)
    }
    const requests: Promise<void>[] = []
    context.on('request', request => void requests.push(read(request)))
    await page.goto(`${originOf(created)}/`)
    for (const address of [`${root}/app`, root, file.url, `${originOf(created)}/`]) await page.goto(address)
    const { hostname } = new URL(originOf(created))
    const cookies = await context.cookies()
    expect(cookies.map(({ name, domain }) => `${name} of ${domain}`)).toEqual([`mine of ${hostname}`])
    await Promise.all(requests)
    expect(sent).toContain(`mine=1 to ${originOf(created)}/`)
    expect(sent.filter(line => !line.includes(hostname))).toEqual([])
  })
})
