import { beforeEach, describe, expect, test } from 'vitest'
import { rules } from '../../routers/api/rules.ts'
import { newSite, type TestSite } from '../delivery/support/site.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()
let site: TestSite

beforeEach(async () => {
  site = await newSite(service)
})

/** Exceeds the time limit. */
const ENDLESS = '{% for i in (1..99999) %}{% for j in (1..99999) %}{% endfor %}{% endfor %}'

const previewOf = (
  html: string,
  more: {
    slug?: string
    kind?: 'scripted' | 'static'
    editor?: string
    beside?: { name: string; html: string }[]
  } = {},
) =>
  site.space.owner.previews.page({
    subdomain: site.space.subdomain,
    editor: 'one',
    slug: 'draft-page',
    kind: 'scripted',
    html,
    ...more,
  })

const partPreviewOf = (html: string, more: { part_id?: string; name?: string; page_id?: string } = {}) =>
  site.space.owner.previews.part({
    subdomain: site.space.subdomain,
    editor: 'one',
    name: 'nav',
    html,
    ...more,
  })

describe('the preview of a page', () => {
  test('reads the data, parts, pages and files of the space', async () => {
    await site.data('events', [{ title: 'Harvest' }])
    await site.part('nav', '<nav>{{ pages.size }}</nav>')
    await site.page('home', 'x')
    const file = await site.file('a.png', 'bytes')
    const html =
      '{% include "nav" %}{{ data.events[0].title }} {{ files[0].url }} {{ page.slug }} {{ space.name }}'
    expect(await previewOf(html)).toEqual({
      outcome: 'document',
      kind: 'scripted',
      html: `<nav>1</nav>Harvest ${file.url} draft-page The ${site.space.subdomain}`,
      review: { hints: [], links: [], removed: [] },
    })
  })

  test('contains hints and a list of the markup that is removed from a static page', async () => {
    const preview = await previewOf('<p onclick="x()">{{ space.name | upcse }}</p>', { kind: 'static' })
    expect(preview).toMatchObject({
      outcome: 'document',
      review: {
        hints: [{ nearest: 'upcase', line: 1, column: 34, where: { body: 'page', name: 'draft-page' } }],
        removed: [{ element: 'p', attribute: 'onclick', count: 1 }],
      },
    })
  })

  test('says where its elements are written, if the editor asks for it', async () => {
    await site.data('site', { title: 'Salt' })
    await site.part('nav', '<nav>{{ data.site.title }}</nav>')
    const html = '<p>text</p>{% include "nav" %}'
    const { owner, subdomain } = site.space
    const draft = {
      subdomain,
      editor: 'one',
      slug: 'draft-page',
      kind: 'static' as const,
      html,
      marked: true,
    }
    expect(await owner.previews.page(draft)).toMatchObject({
      html: expect.stringContaining(
        '<p data-space-site-mark="0">text</p><nav data-space-site-mark="1">Salt</nav>',
      ),
      marks: {
        bodies: [
          { body: 'page', name: 'draft-page' },
          { body: 'part', name: 'nav' },
        ],
        elements: [
          {
            name: 'p',
            body: 0,
            begin: 0,
            end: 11,
            contents: [{ body: 0, begin: 3, end: 7, isLiteral: true }],
          },
          { name: 'nav', body: 1, contents: [{ record: ['site', 'title'], isWholeText: true }] },
        ],
      },
    })
  })

  test('shows the unsaved text of parts that are edited beside it', async () => {
    await site.part('nav', '<nav>{% include "logo" %}</nav>')
    await site.part('logo', 'old')
    const html = '{% include "nav" %}'
    expect(await previewOf(html, { beside: [{ name: 'logo', html: 'new' }] })).toMatchObject({
      html: '<nav>new</nav>',
    })
    const beside = Array.from({ length: 5 }, () => ({ name: 'x', html: 'x' }))
    expect(await errorFields(previewOf(html, { beside }))).toEqual(['beside'])
  })

  test('shows later changes of the space', async () => {
    await site.data('n', 1)
    const before = await previewOf('{{ data.n }}')
    await site.data('n', 2)
    expect([before, await previewOf('{{ data.n }}')]).toMatchObject([{ html: '1' }, { html: '2' }])
  })

  test('stores nothing', async () => {
    await previewOf('text')
    expect(await site.space.owner.pages.list({ subdomain: site.space.subdomain })).toEqual({ data: [] })
  })

  test('is sanitized when the page is static', async () => {
    const html = '<p onclick="x()">Hi</p><script>x()</script>'
    const { html: cleaned } = (await previewOf(html, { kind: 'static' })) as { html: string }
    expect(cleaned).toContain('<p>Hi</p>')
    expect(cleaned).not.toMatch(/script|onclick/)
  })

  test.each([
    ['syntax', 'one\n  {% if x %}', { line: 2, column: 3, where: { body: 'page', name: 'draft-page' } }],
    ['missing_part', '{% render "none" %}', { line: 1, column: 1 }],
    ['timeout', ENDLESS, {}],
  ])('reports the error %s with its position', async (kind, html, place) => {
    expect(await previewOf(html)).toMatchObject({ outcome: 'error', error: { kind, ...place } })
  })

  test('accepts an unfinished slug', async () => {
    expect(await previewOf('{{ page.slug }}', { slug: 'Not a slug!' })).toMatchObject({ html: 'draft' })
  })

  test('rejects a body that is too long', async () => {
    expect(await errorFields(previewOf('x'.repeat(262_145)))).toEqual(['html'])
  })

  test('is for participants only', async () => {
    const outsider = await service.signUp()
    const call = outsider.previews.page({
      subdomain: site.space.subdomain,
      editor: 'one',
      slug: 'a',
      kind: 'static',
      html: 'x',
    })
    expect(await errorCodeOf(call)).toBe('space_not_found')
  })

  test('does not affect the saved page when the preview times out', async () => {
    for (let count = 0; count < 3; count++)
      expect(await previewOf(ENDLESS)).toMatchObject({ outcome: 'error', error: { kind: 'timeout' } })
    const made = await site.page('same', ENDLESS)
    // The timed-out previews must not count against the saved page. Otherwise, the service would not evaluate the page.
    // It would return the error of the draft.
    const [first, second] = await Promise.all([site.open('/same'), site.open('/same')])
    for (const { headers, text } of [first, second]) {
      expect(headers['x-template-error']).toBe('timeout')
      expect(text).toContain('Page <strong>same</strong>')
    }
    expect(made.id).toMatch(/^[2-9a-z]{16}$/)
  })
})

describe('the preview of a part', () => {
  test('shows the part alone, with the variables of pages', async () => {
    expect(await partPreviewOf('<nav>{{ space.name }}</nav>')).toMatchObject({
      outcome: 'document',
      html: `<nav>The ${site.space.subdomain}</nav>`,
    })
  })

  test('shows the unsaved part, not the stored one, inside a page that includes it', async () => {
    const part = await site.part('nav', 'stored')
    const page = await site.page('home', '<p>{% render "nav", to: "you" %}</p>', 'scripted')
    const draft = { part_id: part.id, page_id: page.id }
    expect(await partPreviewOf('draft for {{ to }}', draft)).toMatchObject({ html: '<p>draft for you</p>' })
    expect((await site.openOrigin(page)).text).toBe('<p>stored</p>')
  })

  test('shows the part inside a page while the part is being renamed', async () => {
    const part = await site.part('nav', 'stored')
    const page = await site.page('home', '{% include "nav" %}', 'scripted')
    const draft = { part_id: part.id, page_id: page.id, name: 'menu' }
    expect(await partPreviewOf('draft', draft)).toMatchObject({ html: 'draft' })
  })

  test('is sanitized inside a static page', async () => {
    const page = await site.page('home', '{% include "nav" %}', 'static')
    const { html } = (await partPreviewOf('<script>x()</script>text', { page_id: page.id })) as {
      html: string
    }
    expect(html).not.toContain('script')
  })

  test('reports an error with the name and line of the part', async () => {
    expect(await partPreviewOf('a\n{{ x |')).toMatchObject({
      outcome: 'error',
      error: { kind: 'syntax', where: { body: 'part', name: 'nav' }, line: 2, column: 1 },
    })
  })

  test('rejects a page that does not exist', async () => {
    expect(await errorCodeOf(partPreviewOf('x', { page_id: '2222222222222222' }))).toBe('page_not_found')
  })
})

describe('the preview of a record', () => {
  const recordPreviewOf = (page_id: string, value: unknown, key = 'look') => {
    const { owner, subdomain } = site.space
    return owner.previews.record({ subdomain, editor: 'one', page_id, key, value })
  }

  test('shows a stored page with the unsaved value, and stores nothing', async () => {
    await site.data('look', { color: 'red' })
    await site.data('site', { name: 'Salt' })
    const page = await site.page('home', '{{ data.look.color }} {{ data.site.name }}', 'static')
    for (const color of ['blue', 'green'])
      expect(await recordPreviewOf(page.id, { color })).toMatchObject({
        html: expect.stringContaining(color),
      })
    expect((await site.open('/home')).text).toContain('red Salt')
    const { owner, subdomain } = site.space
    const draft = {
      subdomain,
      editor: 'one',
      slug: 'home',
      kind: 'static' as const,
      html: '{{ data.look.color }}',
    }
    expect(await owner.previews.page(draft)).toMatchObject({ html: expect.stringContaining('red') })
  })

  test('shows a record that is not stored yet', async () => {
    const page = await site.page('home', '{{ data.look.color }}', 'scripted')
    expect(await recordPreviewOf(page.id, { color: 'blue' })).toMatchObject({ html: 'blue' })
  })

  test('refuses what could not be stored', async () => {
    const page = await site.page('home', 'x')
    const tooLarge = recordPreviewOf(page.id, 'x'.repeat(rules.data.value_max_bytes))
    expect(await errorFields(tooLarge)).toEqual(['value'])
    expect(await errorFields(recordPreviewOf(page.id, 1, '__proto__'))).toEqual(['key'])
    expect(await errorCodeOf(recordPreviewOf('2222222222222222', 1))).toBe('page_not_found')
  })
})

describe('the preview origin', () => {
  test('is a new subdomain of the pages domain for each preview', async () => {
    const { previews } = site.space.owner
    const [one, other] = await Promise.all([previews.origin(), previews.origin()])
    expect(one).toMatch(/^http:\/\/preview-[2-9a-z]{16}\.pages\.localhost$/)
    expect(one).not.toBe(other)
  })

  test('needs a session', async () => {
    expect(await errorCodeOf(service.anonymous().previews.origin())).toBe('sign_in_required')
  })
})
