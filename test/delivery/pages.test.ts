import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { policyOf } from '../support/browse.ts'
import { useWorld } from '../support/world.ts'
import { newSite, type TestSite } from './support/site.ts'

const world = useWorld()
let site: TestSite
let root: string

beforeEach(async () => {
  site = await newSite(world)
  root = `http://${site.space.subdomain}.sites.localhost`
})

const inFrame = { headers: { 'sec-fetch-dest': 'iframe' } }

/** The attributes of the only frame in a document. */
const frameIn = (html: string): Record<string, string> => {
  const [tag = '', ...more] = html.match(/<iframe[^>]*>/g) ?? []
  expect(more).toEqual([])
  return Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
}

describe('a static page', () => {
  it('is shown at its address, without scripts', async () => {
    await site.page('about', '<h1 id=top>About</h1><script>alert(1)</script><p onclick="x()">us</p>')
    const { status, text } = await site.open('/about')
    expect(status).toBe(200)
    expect(text).toContain('<h1 id="top">About</h1>')
    expect(text).toContain('<p>us</p>')
    expect(text).not.toMatch(/script|onclick|iframe/)
  })

  it('is delivered exactly as stored', async () => {
    const html = '<script>alert(1)</script><p onclick="x()">us</p>'
    const { id } = await site.page('about', html)
    await site.open('/about')
    expect((await site.space.api.get(`/pages/${id}`)).body.html).toBe(html)
  })

  it('has a policy that forbids scripts, forms and embedded content', async () => {
    await site.page('about', 'text')
    const answer = await site.open('/about')
    expect(policyOf(answer)).toMatchObject({
      'script-src': "'none'",
      'object-src': "'none'",
      'frame-src': "'none'",
      'form-action': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    })
    const sandbox = policyOf(answer).sandbox?.split(' ')
    expect(sandbox).toContain('allow-popups')
    expect(sandbox).not.toContain('allow-scripts')
    expect(sandbox).not.toContain('allow-same-origin')
    expect(sandbox).not.toContain('allow-forms')
  })

  it('has no origin of its own; the origin that it had as a scripted page redirects to the site', async () => {
    const page = await site.page('about', 'text')
    const { status, headers, text } = await site.openOrigin(page)
    expect([status, headers.location, text]).toEqual([302, `${root}/about`, ''])
  })
})

describe('a scripted page', () => {
  it('is shown at its address in a sandboxed frame of its own origin', async () => {
    const page = await site.page('app', '<script>run()</script>', 'scripted')
    const { status, text } = await site.open('/app')
    expect(status).toBe(200)
    expect(text).not.toContain('run()')
    const frame = frameIn(text)
    expect(frame.src).toBe(`http://${page.id}.pages.localhost/`)
    expect(frame.sandbox?.split(' ').sort()).toEqual([
      'allow-downloads',
      'allow-forms',
      'allow-modals',
      'allow-pointer-lock',
      'allow-popups',
      'allow-popups-to-escape-sandbox',
      'allow-same-origin',
      'allow-scripts',
      'allow-top-navigation-by-user-activation',
    ])
    expect(frame.allow).toContain('fullscreen')
  })

  it('is delivered as stored on its own origin, sandboxed, and can be framed by its site only', async () => {
    const html = '<!doctype html><title>App</title><script>run({{ "1" }})</script>'
    const page = await site.page('app', html, 'scripted')
    const answer = await site.openOrigin(page)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('<!doctype html><title>App</title><script>run(1)</script>')
    const { sandbox } = frameIn((await site.open('/app')).text)
    expect(policyOf(answer)).toEqual({ sandbox, 'frame-ancestors': root })
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'origin-agent-cluster': '?1',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      link: `<${root}/app>; rel="canonical"`,
    })
  })

  it('is framed by a document whose policy allows one script', async () => {
    await site.page('app', '<title></title><script>run()</script>', 'scripted')
    const outer = await site.open('/app?<script>run()</script>')
    const scripts = [...outer.text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code]) => code!)
    expect(scripts).toHaveLength(1)
    const digest = createHash('sha256').update(scripts[0]!).digest('base64')
    expect(policyOf(outer)).toMatchObject({ 'default-src': "'none'", 'script-src': `'sha256-${digest}'` })
  })

  it('passes title and description on to the outer document, escaped', async () => {
    await site.page(
      'app',
      '<title>{{ "Tom & Jerry" }} </title><meta name=description content="&lt;Cat&gt; and mouse">',
      'scripted',
    )
    const { text } = await site.open('/app')
    expect(text).toContain('<title>Tom &amp; Jerry</title>')
    expect(text).toContain('<meta name="description" content="&lt;Cat&gt; and mouse">')
  })

  it('without a title gets one from its slug', async () => {
    await site.page('weekly-todo', '<p>text', 'scripted')
    expect((await site.open('/weekly-todo')).text).toContain(
      `<title>Weekly todo · The ${site.space.subdomain}</title>`,
    )
  })

  it('receives the query string of its address on the site', async () => {
    const page = await site.page('app', 'text', 'scripted')
    expect(frameIn((await site.open('/app?a=1&b="><script>')).text).src).toBe(
      `http://${page.id}.pages.localhost/?a=1&amp;b=%22%3E%3Cscript%3E`,
    )
  })

  it.each([
    ['/about', '/about'],
    ['/about?a=1', '/about?a=1'],
    ['/favicon.ico', '/favicon.ico'],
    ['//elsewhere.example/x', '//elsewhere.example/x'],
    ['/\\elsewhere.example', '//elsewhere.example'],
  ])('leads from %s on its own origin to the site', async (path, target) => {
    const page = await site.page('app', 'text', 'scripted')
    const { status, headers } = await site.openOrigin(page, path)
    expect([status, headers.location]).toEqual([302, root + target])
  })
})

describe('a site in a frame', () => {
  it.each(['iframe', 'frame', 'embed', 'object', 'fencedframe'])(
    'offers to open in the whole window instead (%s)',
    async dest => {
      const page = await site.page('app', 'text', 'scripted')
      await site.page('about', 'static text')
      for (const path of ['/', '/articles', '/about', '/app', '/app?a=1&b=2']) {
        const { status, text } = await site.open(path, { headers: { 'sec-fetch-dest': dest } })
        expect(status).toBe(200)
        expect(text).toContain(`href="${root}${path.replace('&', '&amp;')}" target="_top"`)
        expect(text).not.toMatch(/<iframe|static text/)
      }
      expect((await site.openOrigin(page, '/', inFrame)).text).toBe('text')
    },
  )

  it('answers 404 for a missing page', async () => {
    expect((await site.open('/nowhere', inFrame)).status).toBe(404)
  })

  it('can be framed only by showing that offer: all other documents forbid framing', async () => {
    await site.page('app', 'text', 'scripted')
    await site.page('about', 'text')
    for (const path of ['/', '/articles', '/about', '/app']) {
      expect(policyOf(await site.open(path))['frame-ancestors']).toBe("'none'")
      expect(policyOf(await site.open(path, inFrame))).not.toHaveProperty('frame-ancestors')
    }
  })
})

describe('templates', () => {
  it('read the space, the page, other pages, files, data and parts', async () => {
    const { subdomain } = site.space
    await site.page('other', 'text')
    await site.part('greeting', 'Hello {{ who }}{{ space.name }}')
    await site.data('weekly-todo', { items: [{ text: '<milk>' }] })
    const file = await site.file('a b.png', Buffer.from('png'))
    await site.page(
      'all',
      `{{ space.name }}|{{ space.subdomain }}|{{ space.url }}|{{ page.slug }}|{{ page.url }}
|{% for page in pages %}{{ page.slug }}={{ page.url }};{% endfor %}
|{% for file in files %}{{ file.name }},{{ file.contentType }},{{ file.size }},{{ file.url }}{% endfor %}
|{{ data["weekly-todo"].items[0].text }}|{% render 'greeting', who: 'you' %}|{{ nothing.here }}|`.replaceAll(
        '\n',
        '',
      ),
      'scripted',
    )
    const pages = await site.space.api.get<{ data: { id: string; slug: string }[] }>('/pages')
    const page = pages.body.data.find(({ slug }) => slug === 'all')
    const { text } = await site.openOrigin({ id: page?.id ?? '', url: '' })
    expect(text.split('|')).toEqual([
      `The ${subdomain}`,
      subdomain,
      root,
      'all',
      `${root}/all`,
      `all=${root}/all;other=${root}/other;`,
      `a b.png,image/png,3,http://${file.id}.files.localhost`,
      '&lt;milk&gt;',
      'Hello you',
      '',
      '',
    ])
  })
})

describe('cookies', () => {
  it('are never set, and no header names the software', async () => {
    const page = await site.page('app', 'text', 'scripted')
    const file = await site.file('a.txt', 'text')
    const responses = [
      await site.open('/'),
      await site.open('/app', { headers: { cookie: 'session=1' } }),
      await site.open('/nowhere'),
      await site.open('/articles.atom'),
      await site.openOrigin(page, '/', { headers: { cookie: 'session=1' } }),
      await site.openOrigin(page, '/x'),
      await site.openFile(file, { headers: { cookie: 'session=1' } }),
    ]
    for (const { headers } of responses) {
      expect(headers).not.toHaveProperty('set-cookie')
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBeDefined()
    }
  })
})
