import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { policyOf } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService()
let site: TestSite
let root: string

beforeEach(async () => {
  site = await newSite(service)
  root = `http://${site.space.subdomain}.sites.localhost`
})

const inFrame = { headers: { 'sec-fetch-dest': 'iframe' } }

/** Returns the attributes of the only frame in a document. */
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

  it('keeps its stored HTML when it is opened', async () => {
    const html = '<script>alert(1)</script><p onclick="x()">us</p>'
    const { id } = await site.page('about', html)
    await site.open('/about')
    expect((await site.space.api.get(`/pages/${id}`)).body.html).toBe(html)
  })

  it('has a policy that forbids scripts, forms and embedded content', async () => {
    await site.page('about', 'text')
    const response = await site.open('/about')
    expect(policyOf(response)).toMatchObject({
      'script-src': "'none'",
      'object-src': "'none'",
      'frame-src': "'none'",
      'manifest-src': '*',
      'form-action': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    })
    const sandbox = policyOf(response).sandbox?.split(' ')
    expect(sandbox).toContain('allow-popups')
    expect(sandbox).not.toContain('allow-scripts')
    expect(sandbox).not.toContain('allow-same-origin')
    expect(sandbox).not.toContain('allow-forms')
  })

  it('has no origin of its own: its host name under the pages domain redirects to the site', async () => {
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
    expect(frame.src).toBe(`http://${page.id}.pages.localhost/app`)
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

  it('is delivered unsanitized and sandboxed on its own origin, and only its site can frame it', async () => {
    const html = '<!doctype html><title>App</title><script>run({{ "1" }})</script>'
    const page = await site.page('app', html, 'scripted')
    const response = await site.openOrigin(page)
    expect(response.status).toBe(200)
    expect(response.text).toBe('<!doctype html><title>App</title><script>run(1)</script>')
    const { sandbox } = frameIn((await site.open('/app')).text)
    expect(policyOf(response)).toEqual({ sandbox, 'frame-ancestors': root })
    expect(response.headers).toMatchObject({
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
    // Neither `default-src` nor `frame-src`, because the frame may go anywhere.
    const none = "'none'"
    expect(policyOf(outer)).toEqual({
      'script-src': `'sha256-${digest}'`,
      'style-src': "'unsafe-inline'",
      'img-src': '* data:',
      'font-src': none,
      'media-src': none,
      'connect-src': none,
      'object-src': none,
      'manifest-src': none,
      'worker-src': none,
      'base-uri': none,
      'form-action': none,
      'frame-ancestors': none,
    })
  })

  it('gets a title from its slug if it has none', async () => {
    await site.page('weekly-todo', '<p>text', 'scripted')
    expect((await site.open('/weekly-todo')).text).toContain(
      `<title>Weekly todo · The ${site.space.subdomain}</title>`,
    )
  })

  it('receives the query string of its address on the site', async () => {
    const page = await site.page('app', 'text', 'scripted')
    expect(frameIn((await site.open('/app?a=1&b="><script>')).text).src).toBe(
      `http://${page.id}.pages.localhost/app?a=1&amp;b=%22%3E%3Cscript%3E`,
    )
  })

  it.each([
    ['/about', '/about'],
    ['/about?a=1', '/about?a=1'],
    ['/favicon.ico', '/favicon.ico'],
    ['//elsewhere.example/x', '//elsewhere.example/x'],
    ['/\\elsewhere.example', '//elsewhere.example'],
  ])('redirects %s on its own origin to the site', async (path, target) => {
    const page = await site.page('app', 'text', 'scripted')
    const { status, headers } = await site.openOrigin(page, path)
    expect([status, headers.location]).toEqual([302, root + target])
  })
})

describe('the origin of a scripted page', () => {
  const navigate = (site: string, more: Record<string, string> = {}) => ({
    headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe', 'sec-fetch-site': site, ...more },
  })

  it.each(['/', '/app', '/?a=1', '/app?a=1'])(
    'shows the page at %s, whether the page is opened in the frame on the site or elsewhere',
    async path => {
      const page = await site.page('app', 'text', 'scripted')
      for (const options of [{}, navigate('none'), navigate('cross-site'), navigate('same-site')])
        expect((await site.openOrigin(page, path, options)).text).toBe('text')
    },
  )

  it.each([
    ['/', '/'],
    ['/app', '/app'],
    ['/app?a=1', '/app?a=1'],
    ['/other', '/other'],
  ])('redirects to the site if the page itself navigates to %s', async (path, target) => {
    const page = await site.page('app', 'text', 'scripted')
    const referers: Record<string, string>[] = [{}, { referer: `http://${page.id}.pages.localhost/app` }]
    for (const referer of referers) {
      const { status, headers } = await site.openOrigin(page, path, navigate('same-origin', referer))
      expect([status, headers.location]).toEqual([302, root + target])
    }
  })

  it('shows the page if the referrer is the site, which is the case after the Back button', async () => {
    const page = await site.page('app', 'text', 'scripted')
    const options = navigate('same-origin', { referer: `${root}/` })
    expect((await site.openOrigin(page, '/app', options)).text).toBe('text')
  })

  it('returns the page if the page’s own scripts fetch its address', async () => {
    const page = await site.page('app', 'text', 'scripted')
    const headers = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' }
    expect((await site.openOrigin(page, '/app', { headers })).text).toBe('text')
  })
})

describe('a site in a frame', () => {
  it.each(['iframe', 'frame', 'embed', 'object', 'fencedframe'])(
    'shows a link that opens it in the whole window (%s)',
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

  it('returns 404 for a missing page', async () => {
    expect((await site.open('/nowhere', inFrame)).status).toBe(404)
  })

  it('runs only one script, which asks the surrounding document to open the address in the whole window', async () => {
    const answer = await site.open('/nowhere', inFrame)
    const [code = '', ...more] = [...answer.text.matchAll(/<script>(.*?)<\/script>/gs)].map(
      ([, text]) => text!,
    )
    expect(more).toEqual([])
    expect(code).toContain('location.origin')
    const digest = createHash('sha256').update(code).digest('base64')
    expect(policyOf(answer)).toMatchObject({ 'default-src': "'none'", 'script-src': `'sha256-${digest}'` })
  })

  it('is replaced by a document that any website can frame; no website can frame the pages themselves', async () => {
    await site.page('app', 'text', 'scripted')
    await site.page('about', 'text')
    for (const path of ['/', '/articles', '/about', '/app']) {
      expect(policyOf(await site.open(path))['frame-ancestors']).toBe("'none'")
      expect(policyOf(await site.open(path, inFrame))).not.toHaveProperty('frame-ancestors')
    }
  })
})

describe('the script `/_page.js`', () => {
  it('is served on sites, page origins and previews', async () => {
    const page = await site.page('app', 'text', 'scripted')
    const preview = { id: `preview-${'a'.repeat(16)}`, url: '' }
    const answers = [
      await site.open('/_page.js'),
      await site.openOrigin(page, '/_page.js'),
      await site.openOrigin(preview, '/_page.js'),
    ]
    for (const { status, headers, text } of answers) {
      expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
      expect(text).toContain('postMessage')
      expect(text).toBe(answers[0]!.text)
    }
  })

  it('is not sent again to a client that has it', async () => {
    const { headers } = await site.open('/_page.js')
    const again = await site.open('/_page.js', { headers: { 'if-none-match': String(headers.etag) } })
    expect([again.status, again.text]).toEqual([304, ''])
  })
})

describe('templates', () => {
  it('can read the space, the page, other pages, files, data and parts', async () => {
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

describe('every response of a site', () => {
  it('sets no cookie and has no header that names the software', async () => {
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
