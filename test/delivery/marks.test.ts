import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { MARK_ATTRIBUTE } from '../../routers/api/renderer.ts'
import { requestHost } from '../support/request-host.ts'
import { type TestService, type TestSpace, uniqueName, useTestService } from '../support/test-service.ts'
import { unpack } from '../transfer/support/archives.ts'
import { type Mover, useMover } from '../transfer/support/browser-session.ts'

const service: TestService = useTestService()
const mover: Mover = useMover(service)
let space: TestSpace
const previews: string[] = []

/** Pages of each kind that use a part, a record and a file, and a space whose draft previews have all been marked. */
beforeAll(async () => {
  space = await mover.space()
  const { api, owner, subdomain } = space
  await api.post('/parts', {
    name: 'frame',
    html: '<main><h1>{{ data.site.title }}</h1>{% block c %}{% endblock %}</main>',
  })
  await api.put('/data/site', { value: { title: 'Salt' } })
  await api.post('/files', {
    name: 'a.svg',
    content: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    encoding: 'text',
  })
  for (const kind of ['scripted', 'static'] as const) {
    const html = `{% layout "frame" %}{% block c %}<title>${kind}</title><p>text</p>{% endblock %}`
    await api.post('/pages', { slug: kind, kind, html })
    const draft = { subdomain, editor: 'one', slug: kind, kind, html, marked: true }
    previews.push(JSON.stringify(await owner.previews.page(draft)))
  }
})

const pagesOf = async () =>
  (await space.owner.pages.list({ subdomain: space.subdomain })).data.map(({ id, slug }) => ({ id, slug }))

test('the previews of the drafts have marks', () => {
  for (const preview of previews) expect(preview).toContain(MARK_ATTRIBUTE)
})

describe('no mark is in', () => {
  test.each([
    '/scripted',
    '/static',
    '/',
    '/articles',
    '/articles.atom',
    '/sitemap.xml',
    '/robots.txt',
    '/_page.js',
  ])('the response to %s', async path => {
    const { text } = await requestHost(service, `${space.subdomain}.sites.localhost`, path)
    expect(text).not.toContain(MARK_ATTRIBUTE)
  })

  test('a page on its own origin, a file, and what the APIs return', async () => {
    for (const { id } of await pagesOf()) {
      const { status, text } = await requestHost(service, `${id}.pages.localhost`, '/')
      expect([status, text.includes('text') || status !== 200]).toEqual([status, true])
      expect(text).not.toContain(MARK_ATTRIBUTE)
      expect(JSON.stringify((await space.api.get(`/pages/${id}`)).body)).not.toContain(MARK_ATTRIBUTE)
    }
    const { body } = await space.api.get<{ data: { id: string }[] }>('/files')
    const file = await requestHost(service, `${body.data[0]!.id}.files.localhost`, '/')
    expect(file.text).toContain('<svg')
    expect(file.text).not.toContain(MARK_ATTRIBUTE)
  })

  test('an export', async () => {
    const files = await unpack(await mover.archive(space.subdomain))
    expect(files.size).toBeGreaterThan(5)
    for (const bytes of files.values()) expect(bytes.toString()).not.toContain(MARK_ATTRIBUTE)
  })

  test('a preview that is not for the editor', async () => {
    const { owner, subdomain } = space
    const draft = { subdomain, editor: 'one', slug: 'x', kind: 'static' as const, html: '<p>x</p>' }
    expect(JSON.stringify(await owner.previews.page(draft))).not.toMatch(/marks|data-space/)
    const key = uniqueName('rendered')
    await space.api.post('/pages', { slug: key, kind: 'static', html: '<p>x</p>' })
    const page = (await pagesOf()).find(({ slug }) => slug === key)
    expect(JSON.stringify(await owner.studio.renderPage({ subdomain, page_id: page!.id }))).not.toContain(
      MARK_ATTRIBUTE,
    )
  })
})

test('only the previews of the dashboard can ask for marks', () => {
  const sources = execFileSync('git', ['ls-files', 'db', 'routers', 'facades', 'server'], {
    encoding: 'utf8',
  })
  const using = sources
    .split('\n')
    .filter(
      path =>
        /\.tsx?$/.test(path) && /\brenderMarked\b|\bevaluateForEditor\b/.test(readFileSync(path, 'utf8')),
    )
  expect(using).toEqual([
    // Wraps a renderer, and passes the method on.
    'facades/cli/dev/serve.ts',
    'routers/api/renderer.ts',
    'routers/content/previews/evaluate-for-author.ts',
    'routers/content/previews/router.ts',
    'routers/rendering/renderer.ts',
  ])
})
