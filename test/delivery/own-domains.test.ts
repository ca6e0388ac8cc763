/** A site at a domain of its own: what is served there, what redirects to it, and what a proxy may know. */
import { expect, test } from 'vitest'
import { useDomainService } from '../support/domains.ts'
import { type HostResponse, policyOf, requestHost } from '../support/request-host.ts'
import { recordStatements } from '../support/statements.ts'
import { newSite, type TestSite } from './support/site.ts'

const started = useDomainService({ trustedProxies: ['127.0.0.1'] })

let count = 0
/** Creates a site with a main domain. */
const siteAt = async (): Promise<TestSite & { domain: string; subdomain: string }> => {
  const site = await newSite(started.service)
  const domain = `cafe-${++count}.example`
  await started.connect(site.space, domain)
  return { ...site, domain, subdomain: site.space.subdomain }
}
const open = (host: string, path = '/', options?: Parameters<typeof requestHost>[3]): Promise<HostResponse> =>
  requestHost(started.service, host, path, options)

test('the main domain serves the site; the subdomain and the other domains redirect to it', async () => {
  const site = await siteAt()
  const { space, domain, subdomain } = site
  await site.page(
    'menu',
    '<p>{{ page.url }} {{ space.url }} {% for p in pages %}[{{ p.url }}]{% endfor %}</p>',
  )
  started.point(`www.${domain}`)
  await started.check(2)

  const shown = await open(domain, '/menu')
  expect([shown.status, shown.text]).toEqual([
    200,
    expect.stringContaining(`<p>http://${domain}/menu http://${domain} [http://${domain}/menu]</p>`),
  ])
  for (const host of [`${subdomain}.sites.example`, `www.${domain}`, `www.${domain}.`]) {
    const { status, headers } = await open(host, '/menu?day=1&x=%2F')
    expect([host, status, headers.location, headers['cache-control']]).toEqual([
      host,
      302,
      `http://${domain}/menu?day=1&x=%2F`,
      'no-store',
    ])
  }
  // Even what does not exist is at the main address.
  expect((await open(`${subdomain}.sites.example`, '//evil.example')).headers.location).toBe(
    `http://${domain}//evil.example`,
  )
  expect((await open(domain, '/nothing')).status).toBe(404)
  expect((await space.api.get('/pages')).body).toMatchObject({
    data: [{ url: `http://${subdomain}.sites.example/menu` }],
  })
})

test('lists, feed, site map and canonical links use the main address; entries of the feed stay the same', async () => {
  const site = await siteAt()
  const { domain, subdomain, space } = site
  await site.page('index', '<h1>Home</h1>')
  await site.page('menu', '<script src="/_page.js"></script>', 'scripted')
  const idOf = (text: string) => [...text.matchAll(/<id>([^<]*)<\/id>/g)].map(([, id]) => id)
  const feed = await open(domain, '/articles.atom')
  expect(feed.text).toContain(
    `<link rel="self" type="application/atom+xml" href="http://${domain}/articles.atom"/>`,
  )
  expect(feed.text).toContain(`href="http://${domain}/menu"`)
  expect((await open(domain, '/sitemap.xml')).text).toContain(`<loc>http://${domain}/menu</loc>`)
  expect((await open(domain, '/robots.txt')).text).toContain(`Sitemap: http://${domain}/sitemap.xml`)
  expect((await open(domain, '/')).headers.link).toBe(`<http://${domain}/>; rel="canonical"`)
  expect((await open(domain, '/menu')).text).toContain(`<link rel="canonical" href="http://${domain}/menu">`)

  await space.owner.domains.choose({ subdomain, domain: null })
  const before = await open(`${subdomain}.sites.example`, '/articles.atom')
  expect(before.text).toContain(`href="http://${subdomain}.sites.example/menu"`)
  expect(idOf(before.text)).toEqual(idOf(feed.text))
})

test('a scripted page is framed by the main address alone, and its links lead there', async () => {
  const site = await siteAt()
  const { domain, subdomain } = site
  const app = await site.page('app', '<a href="/other">x</a>', 'scripted')
  const framed = await open(domain, '/app?x=1')
  expect(framed.text).toContain(`<iframe src="http://${app.id}.pages.example/app?x=1"`)
  const origin = await open(`${app.id}.pages.example`, '/app')
  expect(policyOf(origin)['frame-ancestors']).toBe(`http://${domain}`)
  expect((await open(`${app.id}.pages.example`, '/other?a=1')).headers.location).toBe(
    `http://${domain}/other?a=1`,
  )
  // A link in the frame gets a document that opens the address in the whole window.
  const inFrame = { headers: { 'sec-fetch-dest': 'iframe' } }
  expect((await open(domain, '/app', inFrame)).text).toContain(`href="http://${domain}/app"`)
  expect((await open(`${subdomain}.sites.example`, '/app', inFrame)).headers.location).toBe(
    `http://${domain}/app`,
  )
})

test('the hints of the editor know links to both addresses of the site', async () => {
  const site = await siteAt()
  const { domain, subdomain, space } = site
  const addresses = [`http://${domain}`, `http://${subdomain}.sites.example`, 'http://another.example']
  const html = addresses
    .map(address => `<a href="${address}/menu">a</a><a href="${address}/lost">b</a>`)
    .join('')
  await site.page('menu', 'Menu')
  expect(
    await space.owner.previews.page({ subdomain, editor: 'one', slug: 'x', kind: 'static', html }),
  ).toMatchObject({
    review: {
      links: addresses.slice(0, 2).map(address => ({
        message: `The link “${address}/lost” leads nowhere: the site has no page “lost”.`,
      })),
    },
  })
})

test('a domain has no session: no dashboard, no API, no cookies, and no other method', async () => {
  const site = await siteAt()
  const { domain } = site
  await site.page('index', '<h1>Home</h1>')
  for (const path of [
    '/admin',
    '/trpc/sessions.current',
    '/v1/spaces',
    '/oauth/authorize',
    '/mcp',
    '/healthz',
    '/readyz',
  ]) {
    const { status, headers } = await open(domain, path, { headers: { cookie: '__Host-session=x' } })
    expect([path, status, headers['set-cookie']]).toEqual([path, 404, undefined])
  }
  const { status, headers } = await open(domain, '/', { method: 'POST', body: 'x' })
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  // A browser would insist on https for a year, even after the domain has moved elsewhere.
  expect((await open(domain)).headers['strict-transport-security']).toBeUndefined()
})

test('a removed domain is forgotten at once, and leads to no site', async () => {
  const site = await siteAt()
  const { space, domain, subdomain } = site
  await site.page('index', '<h1>Home</h1>')
  expect((await open(domain)).text).toContain('<h1>Home</h1>')
  await space.owner.domains.remove({ subdomain, domain })
  expect((await open(domain)).text).not.toContain('<h1>Home</h1>')
  expect((await open(`${subdomain}.sites.example`)).text).toContain('<h1>Home</h1>')
})

test('another process serves a new domain after it has read the names again, and no removed one before', async () => {
  const site = await siteAt()
  const { space, domain, subdomain } = site
  await site.page('index', '<h1>Home</h1>')
  const other = await started.another()
  try {
    expect((await requestHost(other, domain)).text).toContain('<h1>Home</h1>')
    const next = `next-${domain}`
    await started.connect(space, next)
    await space.owner.domains.choose({ subdomain, domain: next })
    // The content knows its main address, so the other process cannot serve the site at the earlier one.
    expect((await requestHost(other, domain)).headers.location).toBe(`http://${next}/`)
    await other.core.verifiedDomains.refresh()
    expect((await requestHost(other, next)).text).toContain('<h1>Home</h1>')
  } finally {
    await other.stop()
  }
})

test('a page at a domain takes no more queries than at the subdomain', async () => {
  const site = await siteAt()
  const { domain, subdomain, space } = site
  await site.page('menu', '<p>x</p>')
  const countAt = async (host: string) => {
    await open(host, '/menu')
    const end = recordStatements()
    await open(host, '/menu')
    return end().statements.length
  }
  const atDomain = await countAt(domain)
  await space.owner.domains.choose({ subdomain, domain: null })
  expect(atDomain).toBe(await countAt(`${subdomain}.sites.example`))
})

test('a trusted proxy learns for which names it may request certificates', async () => {
  const { domain } = await siteAt()
  const ask = async (name: string, headers = {}) =>
    (await open('127.0.0.1', `/_ask?domain=${encodeURIComponent(name)}`, { headers })).status
  expect(await ask(domain)).toBe(200)
  expect(await ask(domain.toUpperCase())).toBe(200)
  for (const name of [
    `www.${domain}`,
    `x.${domain}`,
    'main.example',
    'garden.sites.example',
    '127.0.0.1',
    '',
  ])
    expect([name, await ask(name)]).toEqual([name, 404])
  for (const header of [
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'forwarded',
    'via',
    'x-real-ip',
  ])
    expect([header, await ask(domain, { [header]: '127.0.0.1' })]).toEqual([header, 403])
  // At a domain, the path is an ordinary path of the site.
  expect((await open(domain, `/_ask?domain=${domain}`)).status).toBe(404)
  // A name that leads elsewhere gets no certificate.
  started.dns.set(domain, { a: ['203.0.113.9'] })
  await started.check(3)
  expect(await ask(domain)).toBe(404)
})
