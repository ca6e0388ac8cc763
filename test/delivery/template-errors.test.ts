import { beforeEach, describe, expect, it } from 'vitest'
import type { TemplateError } from '../../routers/api/renderer.ts'
import { policyOf } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService()
let site: TestSite

beforeEach(async () => {
  site = await newSite(service)
})

/** For each kind of error, a template that causes it and a phrase from its explanation. */
const MISTAKES = {
  syntax: ['<p>\n{% if %}', 'syntax error'],
  missing_part: ["{% render 'nowhere' %}", 'nowhere'],
  render: ['{{ 1 | where_exp: "x", "(" }}', 'could not be rendered'],
  timeout: ['{% for i in (1..99999) %}{% for j in (1..99999) %}{% endfor %}{% endfor %}', 'too long'],
  too_large: [`{% assign a = "x" %}${'{% assign a = a | append: a %}'.repeat(30)}`, 'too large'],
} as const

type Kind = keyof typeof MISTAKES

const kinds = Object.keys(MISTAKES) as Kind[]

describe('a template error', () => {
  it.each(kinds)(
    '`%s` on a static page returns an explanation with status 200 and `x-template-error`',
    async kind => {
      const [html, words] = MISTAKES[kind]
      await site.page('wrong', html)
      const { status, headers, text } = await site.open('/wrong')
      expect(status).toBe(200)
      expect(headers['x-template-error']).toBe(kind)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['cache-control']).toBe('no-store')
      expect(text).toContain(words)
      expect(text).toContain('How to fix it')
    },
  )

  it.each(['syntax', 'missing_part'] as const)(
    '`%s` on a scripted page is explained without a frame, both on the site and on the origin of the page',
    async kind => {
      const [html, words] = MISTAKES[kind]
      const page = await site.page('wrong', html, 'scripted')
      for (const response of [await site.open('/wrong'), await site.openOrigin(page)]) {
        expect(response.status).toBe(200)
        expect(response.headers['x-template-error']).toBe(kind)
        expect(response.text).toContain(words)
        expect(response.text).not.toContain('<iframe')
      }
    },
  )

  const inFrame: [TemplateError['kind'], string, string][] = [
    ...(['render', 'timeout', 'too_large'] as const).map(
      kind => [kind, ...MISTAKES[kind]] as [TemplateError['kind'], string, string],
    ),
    ['missing_part', "{% assign name = 'nowhere' %}{% render name %}", 'nowhere'],
    ['missing_part', '{% include data.nothing %}', 'its variable is empty'],
  ]
  it.each(inFrame)('`%s` on a scripted page is explained in the frame: %s', async (kind, html, words) => {
    const page = await site.page('wrong', html, 'scripted')
    const outer = await site.open('/wrong')
    expect(outer.status).toBe(200)
    expect(outer.headers['x-template-error']).toBe(kind)
    expect(outer.text).toContain(`<iframe src="http://${page.id}.pages.localhost/wrong"`)
    expect(outer.text).toContain(`<title>Wrong · The ${site.space.subdomain}</title>`)
    const inner = await site.openOrigin(page)
    expect(inner.status).toBe(200)
    expect(inner.headers['x-template-error']).toBe(kind)
    expect(inner.text).toContain(words)
  })

  it('is explained in a document without scripts, and only the site can show that document in a frame', async () => {
    const page = await site.page('wrong', MISTAKES.render[0], 'scripted')
    const policy = policyOf(await site.openOrigin(page))
    expect(policy['default-src']).toBe("'none'")
    expect(policy).not.toHaveProperty('script-src')
    expect(policy.sandbox).not.toContain('allow-scripts')
    expect(policy['frame-ancestors']).toBe(`http://${site.space.subdomain}.sites.localhost`)
  })

  it('is shown with a link to the editor of the page, also inside a frame', async () => {
    const link = (id: string) =>
      `<a href="${service.core.addresses.apiRoot}/admin/spaces/${site.space.subdomain}/pages/${id}" target="_top">Open in the editor</a>`
    const shown = await site.page('wrong', MISTAKES.syntax[0])
    expect((await site.open('/wrong')).text).toContain(link(shown.id))
    const framed = await site.page('framed', MISTAKES.render[0], 'scripted')
    expect((await site.openOrigin(framed)).text).toContain(link(framed.id))
  })

  it('in a part is explained on each page that includes the part, without a cookie and without the source', async () => {
    await site.space.api.post('/parts', { name: 'nav', html: '<nav>\n{{ space.secret | }}{% endif %}' })
    for (const [slug, kind] of [
      ['one', 'static'],
      ['two', 'scripted'],
    ] as const)
      await site.page(slug, '{% include "nav" %}', kind)
    for (const path of ['/one', '/two']) {
      const { headers, text } = await site.open(path)
      expect(headers).not.toHaveProperty('set-cookie')
      expect(text).toContain('Part <strong>nav</strong>, line 2')
      expect(text).not.toContain('secret')
      expect(text).not.toContain('Its other pages are not affected')
    }
  })

  it('causes the X-Template-Error header for HEAD too', async () => {
    await site.page('wrong', MISTAKES.syntax[0])
    const { headers, text } = await site.open('/wrong', { method: 'HEAD' })
    expect([headers['x-template-error'], text]).toEqual(['syntax', ''])
  })

  it('no longer causes the X-Template-Error header after it is fixed', async () => {
    const page = await site.page('wrong', MISTAKES.syntax[0])
    await site.space.api.patch(`/pages/${page.id}`, { html: 'right' })
    const { headers, text } = await site.open('/wrong')
    expect(headers).not.toHaveProperty('x-template-error')
    expect(text).toContain('right')
  })

  it('in the `index` page causes the X-Template-Error header on the home page', async () => {
    await site.page('index', MISTAKES.syntax[0])
    expect((await site.open('/')).headers['x-template-error']).toBe('syntax')
  })
})
