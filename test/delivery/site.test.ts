import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { withoutHistory } from '../support/history.ts'
import { testPng } from '../support/png.ts'
import { requestHost } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService()
let site: TestSite
let root: string

beforeEach(async () => {
  site = await newSite(service)
  root = `http://${site.space.subdomain}.sites.localhost`
})

/** Returns the root-relative links in the lists of a document, in order. */
const pathsIn = (html: string) => [...html.matchAll(/<li><a href="(\/[^"]*)"/g)].map(([, path]) => path)

/** Creates pages one minute apart, the last one now. */
const createInOrder = async (...slugs: string[]) => {
  for (const slug of slugs) {
    await withoutHistory(service.core.database, db =>
      sql`update pages set created_at = created_at - interval '1 minute'`.execute(db),
    )
    await site.page(slug, 'text')
  }
}

const setIcon = async () =>
  site.space.owner.spaces.setIcon({
    subdomain: site.space.subdomain,
    png: await testPng({ width: 256, height: 256 }),
  })

describe('the home page of a site', () => {
  it('lists its pages by slug', async () => {
    for (const slug of ['pears', 'apples', 'quinces']) await site.page(slug, 'fruit')
    const { status, headers, text } = await site.open('/')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(pathsIn(text)).toEqual(['/apples', '/pears', '/quinces'])
    expect(text).toContain(`The ${site.space.subdomain}`)
  })

  it('says that there are no pages if there are none', async () => {
    expect((await site.open('/')).text).toContain('This site has no pages yet.')
  })

  it('is the `index` page if there is one, which is also shown at its own address', async () => {
    await site.page('index', '<p>Welcome to {{ page.url }}</p>')
    const welcome = `<p>Welcome to ${root}/index</p>`
    expect((await site.open('/')).text).toContain(welcome)
    expect((await site.open('/index')).text).toContain(welcome)
  })

  it('escapes the name of the space', async () => {
    const name = '<b>Bold & "free"</b>'
    await site.space.owner.spaces.rename({ subdomain: site.space.subdomain, name })
    const { text } = await site.open('/')
    expect(text).toContain('&lt;b&gt;Bold &amp; &quot;free&quot;&lt;/b&gt;')
    expect(text).not.toContain('<b>')
  })
})

describe('/articles', () => {
  it('lists the pages, newest first, and links to the feed', async () => {
    await createInOrder('first', 'second', 'third')
    const { status, text } = await site.open('/articles')
    expect(status).toBe(200)
    expect(pathsIn(text)).toEqual(['/third', '/second', '/first'])
    expect(text).toMatch(/<link rel="alternate" type="application\/atom\+xml"[^>]* href="\/articles.atom">/)
  })

  it.each(['static', 'scripted'] as const)(
    'follows the site: the language of the home page, and titles, of %s pages; the feed and the site map leave out pages that ask not to be listed',
    async kind => {
      const html = (head: string) =>
        `<!doctype html><html lang="de"><head>${head}</head><body>x</body></html>`
      await site.page('index', html('<title>Start &amp; Ziel</title>'), kind)
      await site.page('kuchen', html('<title>{{ "Äpfel" }}</title>'), kind)
      await site.page(
        'danke',
        html('<title>Danke</title><meta name="Robots" content="noindex, follow">'),
        kind,
      )
      await site.page('ohne', 'x', kind)
      const { text } = await site.open('/articles')
      expect(text).toContain('<html lang="de">')
      for (const title of ['Start &amp; Ziel', 'Äpfel', 'Danke', 'Ohne'])
        expect(text).toContain(`<strong dir="auto">${title}</strong>`)
      expect(text).toContain('<span lang="en">Articles</span>')
      const feed = (await site.open('/articles.atom')).text
      expect(feed).toContain('xml:lang="de"')
      expect(feed).toContain('<title>Äpfel</title>')
      const map = (await site.open('/sitemap.xml')).text
      for (const list of [feed, map]) {
        expect(list).toContain('/ohne')
        expect(list).not.toContain('/danke')
      }
    },
  )

  it('lists evaluate a page again only after it, a part or a record has changed', async () => {
    const html = '<title>{{ "now" | date: "%s.%L" }}</title>{% include "a" %}{{ data.b }}'
    await site.part('a', 'a')
    await site.data('b', 1)
    const page = await site.page('clock', html)
    const title = async () => /<strong dir="auto">([\d.]+)</.exec((await site.open('/articles')).text)![1]
    const first = await title()
    await site.page('other', 'x')
    await site.file('a.txt', 'x')
    expect(await title()).toBe(first)
    for (const change of [
      () => site.data('b', 2),
      () => site.part('c', 'c'),
      () => site.space.api.delete('/data/b'),
      () => site.space.api.patch(`/pages/${page.id}`, { html: `${html}.` }),
    ]) {
      const before = await title()
      await change()
      expect(await title()).not.toBe(before)
    }
  })

  it.each(['static', 'scripted'] as const)(
    'the home page has one canonical address, also at /index, if it is %s',
    async kind => {
      await site.page('index', 'x', kind)
      await site.page('other', 'x', kind)
      const root = `http://${site.space.subdomain}.sites.localhost`
      for (const path of ['/', '/index']) {
        const { headers, text } = await site.open(path)
        const link = kind === 'static' ? String(headers.link) : text
        expect(link).toContain(
          kind === 'static' ? `<${root}/>; rel="canonical"` : `<link rel="canonical" href="${root}/">`,
        )
      }
      expect((await site.open('/other')).headers).not.toHaveProperty('link')
    },
  )

  it('without time to evaluate pages, lists have the titles that are known, and else those from slugs', async () => {
    const titled = (title: string) => `<title>${title}</title>`
    const { core } = service
    const { listPatience } = core
    const page = await site.page('kuchen', titled('Äpfel'))
    core.listPatience = 0
    try {
      expect((await site.open('/articles')).text).toContain('<strong dir="auto">Kuchen</strong>')
      core.listPatience = listPatience
      expect((await site.open('/articles.atom')).text).toContain('<title>Äpfel</title>')
      core.listPatience = 0
      await site.space.api.patch(`/pages/${page.id}`, { html: titled('Birnen') })
      expect((await site.open('/articles')).text).toContain('<strong dir="auto">Äpfel</strong>')
    } finally {
      core.listPatience = listPatience
    }
  })

  it('has an Atom feed with the same pages, their addresses and times', async () => {
    await createInOrder('first', 'second-one')
    const { body: pages } = await site.space.api.get<{ data: { created_at: string }[] }>('/pages')
    const { status, headers, text } = await site.open('/articles.atom')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8')
    const [head, ...entries] = text.split('<entry>')
    expect(head).toContain(`<link rel="self" type="application/atom+xml" href="${root}/articles.atom"/>`)
    expect(entries).toHaveLength(2)
    expect(entries[0]).toContain('<title>Second one</title>')
    expect(entries[0]).toContain(`href="${root}/second-one"`)
    expect(entries[0]).toContain(`<published>${pages.data[1]!.created_at}</published>`)
    expect(entries[1]).toContain(`href="${root}/first"`)
  })

  it('has a feed whose time is that of the last change to any page', async () => {
    const old = await site.page('old', 'text')
    await site.page('new', 'text')
    const { body } = await site.space.api.patch<{ updated_at: string }>(`/pages/${old.id}`, {
      html: 'changed',
    })
    const [head] = (await site.open('/articles.atom')).text.split('<entry>')
    expect(head).toContain(`<updated>${body.updated_at}</updated>`)
  })

  it('keeps the id of a feed entry when the slug of its page changes', async () => {
    const page = await site.page('before', 'text')
    const idIn = ({ text }: { text: string }) => /<entry>\s*<id>([^<]+)/.exec(text)?.[1]
    const before = idIn(await site.open('/articles.atom'))
    await site.space.api.patch(`/pages/${page.id}`, { slug: 'after' })
    expect(before).toContain(page.id)
    expect(idIn(await site.open('/articles.atom'))).toBe(before)
  })

  it('limits the feed to the 50 newest pages', async () => {
    await createInOrder(...Array.from({ length: 51 }, (_, index) => `page-${index + 1}`))
    const { text } = await site.open('/articles.atom')
    expect(text.match(/<entry>/g)).toHaveLength(50)
    expect(text).not.toContain(`href="${root}/page-1"`)
  })
})

describe('the files that the service generates for a site', () => {
  it('robots.txt allows everything and names the site map', async () => {
    const { headers, text } = await site.open('/robots.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text).toBe(`User-agent: *\nAllow: /\nSitemap: ${root}/sitemap.xml\n`)
  })

  it('sitemap.xml lists every page with its last change', async () => {
    const { body } = await site.space.api.post('/pages', { slug: 'about', html: 'text' })
    const { headers, text } = await site.open('/sitemap.xml')
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(text).toContain(`<url><loc>${root}/</loc></url>`)
    expect(text).toContain(`<url><loc>${root}/about</loc><lastmod>${String(body.updated_at)}</lastmod></url>`)
  })

  it('sitemap.xml and the feed list a home page once, by the address of the site', async () => {
    const page = await site.page('index', 'x')
    const map = (await site.open('/sitemap.xml')).text
    expect(map.match(/<loc>[^<]+/g)).toEqual([`<loc>${root}/articles`, `<loc>${root}/`])
    expect(map).toContain(`<loc>${root}/</loc><lastmod>`)
    expect((await site.open('/articles.atom')).text).toContain(`type="text/html" href="${root}/"`)
    await site.space.api.patch(`/pages/${page.id}`, {
      html: '<head><meta name="robots" content="noindex"></head>x',
    })
    expect((await site.open('/sitemap.xml')).text).not.toContain(`<loc>${root}/</loc>`)
  })

  it.each(['/articles.atom', '/sitemap.xml', '/robots.txt'])(
    '%s is not sent again to a client that has it',
    async path => {
      const { headers } = await site.open(path)
      const again = await site.open(path, { headers: { 'if-none-match': String(headers.etag) } })
      expect([again.status, again.text]).toEqual([304, ''])
      expect(headers['cache-control']).toBe('no-cache')
    },
  )

  it('the feed is sent again after a page was added, even to a client that has the old feed', async () => {
    const { headers } = await site.open('/articles.atom')
    await site.page('new', 'text')
    const again = await site.open('/articles.atom', { headers: { 'if-none-match': String(headers.etag) } })
    expect(again.status).toBe(200)
    expect(again.text).toContain(`${root}/new`)
  })

  it('favicon.ico is the icon of the space, and each list and frame has a link to it', async () => {
    await setIcon()
    await site.page('about', '<script></script>', 'scripted')
    const { status, headers, bytes } = await site.open('/favicon.ico')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('image/png')
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('\x89PNG')
    for (const path of ['/', '/articles', '/about', '/nowhere'])
      expect((await site.open(path)).text).toMatch(
        /<link rel="icon" type="image\/png" href="\/favicon\.ico\?v=\w+">/,
      )
  })

  it('favicon.ico returns 404 without an icon', async () => {
    expect((await site.open('/favicon.ico')).status).toBe(404)
    expect((await site.open('/')).text).not.toContain('rel="icon"')
  })
})

describe('unknown addresses', () => {
  it.each(['/nowhere', '/a/b', '/%ff', '/%00', '/a_b', '/_x', '/Nowhere/', '/about.html', '/%2e%2e/x'])(
    '%s on a site returns 404 with a link to the home page',
    async path => {
      await site.page('about', 'text')
      const { status, headers, text } = await site.open(path)
      expect(status).toBe(404)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(text).toContain(`href="${root}/"`)
      expect(text).toContain('noindex')
    },
  )

  it.each(['sites', 'pages', 'files', 'posts'])(
    'unknown names under the %s domain return 404 and reveal nothing',
    async domain => {
      for (const name of ['', 'nobody.', 'a.b.', '2222222222222222.', 'a%00.', '-.', "'."]) {
        for (const path of ['/', '/articles', '/robots.txt', '/favicon.ico', '/v1/spaces/nobody']) {
          const { status, text } = await requestHost(service, `${name}${domain}.localhost`, path)
          expect(status).toBe(404)
          expect(text).toContain('There is nothing at this address')
          expect(text).not.toContain('href')
          expect(text).not.toContain('nobody')
        }
      }
    },
  )

  it('the old address of a renamed page returns 404, not a redirect', async () => {
    const page = await site.page('before', 'text')
    await site.space.api.patch(`/pages/${page.id}`, { slug: 'after' })
    expect((await site.open('/before')).status).toBe(404)
    expect((await site.open('/after')).status).toBe(200)
  })
})

describe('other spellings of an address', () => {
  it.each([
    ['/about/', '/about'],
    ['/About', '/about'],
    ['/%61bout', '/about'],
    ['/ABOUT/?a=1&b=%20', '/about?a=1&b=%20'],
    ['/Articles', '/articles'],
    ['/Robots.TXT', '/robots.txt'],
  ])('%s redirects to %s', async (path, location) => {
    await site.page('about', 'text')
    const { status, headers } = await site.open(path)
    expect([status, headers.location]).toEqual([302, location])
    expect(headers['cache-control']).toBe('no-store')
  })

  it('a host name is accepted in any letter case, with a port, and with a trailing dot', async () => {
    await site.page('about', 'text')
    const { subdomain } = site.space
    for (const host of [`${subdomain.toUpperCase()}.Sites.LocalHost:8080`, `${subdomain}.sites.localhost.`])
      expect((await requestHost(service, host, '/about')).status).toBe(200)
  })
})

describe('request methods', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s is refused with an Allow header on every content domain',
    async method => {
      const page = await site.page('about', 'text', 'scripted')
      const file = await site.file('a.txt', 'text')
      const responses = [
        await site.open('/about', { method, body: 'a=1' }),
        await site.openOrigin(page, '/', { method, body: 'a=1' }),
        await site.openFile(file, { method, body: 'a=1' }),
      ]
      for (const { status, headers } of responses) {
        expect(status).toBe(405)
        expect(headers.allow).toBe('GET, HEAD')
      }
    },
  )

  it.each([
    '/',
    '/articles',
    '/articles.atom',
    '/sitemap.xml',
    '/robots.txt',
    '/static',
    '/scripted',
    '/none',
  ])('HEAD of %s has the headers of GET and no body', async path => {
    await site.page('static', 'text')
    await site.page('scripted', 'text', 'scripted')
    const get = await site.open(path)
    const head = await site.open(path, { method: 'HEAD' })
    expect(head.text).toBe('')
    expect(head.status).toBe(get.status)
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
    expect(Number(get.headers['content-length'])).toBe(get.bytes.length)
  })
})
