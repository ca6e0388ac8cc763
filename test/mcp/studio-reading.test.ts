import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { limits, rules } from '../../routers/api/rules.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { withoutHistory } from '../support/history.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { type ToolClient, toolClient } from './support/tool-client.ts'

const service = useTestService()
let space: TestSpace
let client: ToolClient

beforeEach(async () => {
  space = await service.createSpace()
  client = toolClient(service, '/mcp/studio', await space.key(...SPACE_SCOPES), '2026-07-28')
})

const read = async (name: string, args: Record<string, unknown>) =>
  (await client.call(name, args)).structuredContent!

describe('check_template', () => {
  test('returns errors and hints, and saves nothing', async () => {
    expect(await read('check_template', { html: '<p>{{ space.name }}</p>' })).toEqual({
      works: true,
      is_complete: true,
      unchecked: [],
      errors: [],
      hints: [],
      links: [],
      removed: [],
      page: null,
    })
    expect(await read('check_template', { html: '{% if x %}' })).toMatchObject({
      works: false,
      errors: [{ error: { kind: 'syntax', line: 1, column: 1 } }],
    })
    const html = '{{ data.x }}<a href="/y">a</a><form></form>'
    expect(await read('check_template', { html, kind: 'static' })).toMatchObject({
      works: false,
      hints: [{ message: 'There is no data record “x”.' }],
      links: [{ count: 1 }],
      removed: [{ element: 'form' }],
    })
    expect(await read('list_pages', {})).toEqual({ data: [] })
  })

  test.each(['static', 'scripted'])(
    'returns the %s page that a template makes, with what it says about itself',
    async kind => {
      const { owner, subdomain } = space
      const head =
        '<!doctype html><html lang="de"><head><title>{{ page.slug }}!</title><meta name="description" content="Kuchen"></head><body>{% block main %}{% endblock %}</body></html>'
      await owner.parts.create({ subdomain, name: 'frame', html: head })
      const html = '{% layout "frame" %}{% block main %}<p>Apfel</p>{% endblock %}'
      const about = { slug: 'backen', layout: 'frame', title: 'backen!', description: 'Kuchen' }
      const text = await read('check_template', { html, kind, slug: 'backen', output: 'text' })
      expect(text).toMatchObject({ works: true, page: { ...about, content: 'Apfel', length: 5 } })
      const markup = await read('check_template', { html, kind, slug: 'backen', output: 'html' })
      expect((markup.page as { content: string }).content).toContain('<p>Apfel</p>')
      const { id } = await owner.pages.create({ subdomain, slug: 'backen', kind: kind as 'static', html })
      expect(await read('render_page', { page_id: id })).toMatchObject({ ...about, content: 'Apfel' })
    },
  )

  test('returns a part alone, and nothing for a template with an error', async () => {
    const part = await read('check_template', { html: '<p>{{ 1 }}</p>', part_name: 'card', output: 'text' })
    expect(part).toMatchObject({ works: true, page: { content: '1', layout: null } })
    expect(await read('check_template', { html: '{% if %}', output: 'text' })).toMatchObject({ page: null })
  })

  test('checks a part in the pages that include it', async () => {
    const { owner, subdomain } = space
    await owner.parts.create({ subdomain, name: 'nav', html: '{{ title }}' })
    await owner.pages.create({ subdomain, slug: 'one', html: '{% include "nav" %}' })
    expect(await read('check_template', { html: '{% endif %}', part_name: 'nav' })).toMatchObject({
      errors: [{ slug: 'one', error: { where: { body: 'part', name: 'nav' } } }],
    })
    expect(await read('check_template', { html: '{{ item.x }}', part_name: 'card' })).toMatchObject({
      works: true,
    })
  })
})

describe('render_page', () => {
  const create = async (html: string, kind: 'scripted' | 'static' = 'static') =>
    (await space.owner.pages.create({ subdomain: space.subdomain, slug: 'one', kind, html })).id

  test('returns the page as plain text', async () => {
    const html =
      '<h1>{{ "A & B" }}</h1><style>p{}</style><ul><li>one<li><a href="/two">two</a></ul><p>a<br>b</p><img src="https://a.example/b.png" alt="A cat">'
    expect(await read('render_page', { page_id: await create(html) })).toMatchObject({
      works: true,
      error: null,
      content: '# A & B\n\n- one\n- two (/two)\n\na\nb\n[picture: A cat]',
      next: null,
    })
  })

  test('returns the sanitized HTML of a static page', async () => {
    const page_id = await create('<p onclick="x()">{{ page.slug }}</p>')
    const { content, length } = await read('render_page', { page_id, format: 'html' })
    expect(content).toContain('<body><p>one</p></body>')
    expect(length).toBe(String(content).length)
  })

  test('returns the error of a broken page', async () => {
    expect(await read('render_page', { page_id: await create('{% if %}') })).toMatchObject({
      works: false,
      error: { kind: 'syntax', line: 1 },
      content: null,
    })
  })

  test('returns a long page in pieces', async () => {
    const html = `<p>${'a'.repeat(limits.renderedText)}</p>`
    const page_id = await create(html, 'scripted')
    const first = await read('render_page', { page_id, format: 'html' })
    expect(first).toMatchObject({ length: html.length, next: limits.renderedText })
    const rest = await read('render_page', { page_id, format: 'html', from: first.next })
    expect([first.content, rest.content].join('')).toBe(html)
    expect(rest.next).toBeNull()
  })
})

describe('search', () => {
  test('finds a string in names and bodies, and returns the lines that contain it', async () => {
    const { owner, subdomain } = space
    const page = await owner.pages.create({ subdomain, slug: 'apple-pie', html: '<p>\nAn Apple\n</p>' })
    await owner.parts.create({ subdomain, name: 'nav', html: 'pear' })
    await owner.data.put({ subdomain, key: 'fruit', value: ['apple'], description: 'Apples' })
    await owner.files.create({ subdomain, name: 'apple.txt', content: 'x', encoding: 'text' })
    const { data, is_complete } = await read('search', { text: 'APPLE' })
    expect(is_complete).toBe(true)
    expect(data).toMatchObject([
      { kind: 'file', name: 'apple.txt', in: 'name' },
      { kind: 'page', id: page.id, in: 'html', line: 2, excerpt: 'An Apple' },
      { kind: 'page', id: page.id, in: 'name', line: 1, excerpt: 'apple-pie' },
      { kind: 'record', id: 'fruit', in: 'description' },
      { kind: 'record', id: 'fruit', in: 'value', excerpt: '["apple"]' },
    ])
    expect(await read('search', { text: 'banana' })).toEqual({ data: [], is_complete: true })
    expect(await read('search', { text: '%' })).toEqual({ data: [], is_complete: true })
  })

  test('searches only items that the scopes allow', async () => {
    const { owner, subdomain } = space
    await owner.pages.create({ subdomain, slug: 'one', html: 'apple' })
    await owner.data.put({ subdomain, key: 'one', value: 'apple' })
    const reader = toolClient(service, '/mcp/readonly', await space.key('data'), '2026-07-28')
    const { structuredContent } = await reader.call('search', { text: 'apple' })
    expect(structuredContent?.data).toMatchObject([{ kind: 'record' }])
  })

  test('returns a limited number of matches', async () => {
    const html = Array.from({ length: 200 }, () => 'apple').join('\n')
    await space.owner.parts.create({ subdomain: space.subdomain, name: 'nav', html })
    const found = await read('search', { text: 'apple' })
    expect(found.data).toHaveLength(limits.searchMatches)
    expect(found.is_complete).toBe(false)
  })

  test('searches all names first, then bodies up to a limited number of bytes', async () => {
    const { owner, subdomain } = space
    const html = `${'x'.repeat(rules.page.html_max_length - 5)}apple`
    const { id } = await owner.pages.create({ subdomain, slug: 'a-0', html })
    await withoutHistory(service.core.database, db =>
      sql`insert into pages (space_id, id, slug, kind, html, includes, created_at, updated_at)
      select space_id, lpad(number::text, 16, 'a'), 'a-' || number, kind, html, includes, created_at, updated_at
      from pages, generate_series(1, ${limits.searchBytes / html.length}::int) as number where id = ${id}`.execute(
        db,
      ),
    )
    const found = await read('search', { text: 'a-1' })
    expect(found.data).toContainEqual(expect.objectContaining({ name: 'a-1', in: 'name' }))
    expect(found.is_complete).toBe(false)
  })

  test('has a rate limit per account', async () => {
    const results = []
    for (let n = 0; n <= limits.searchesPerMinute; n++)
      results.push(await client.call('search', { text: 'x' }))
    expect(results.slice(0, -1).some(({ isError }) => isError)).toBe(false)
    expect(results.at(-1)!.content[0]!.text).toContain('rate_limited')
  })
})

test('list_changes returns who changed which item', async () => {
  await client.call('create_page', { slug: 'one', html: 'x' })
  await space.owner.pages.create({ subdomain: space.subdomain, slug: 'two', html: 'x' })
  expect((await read('list_changes', {})).changes).toMatchObject([
    { kind: 'page', action: 'create', name: 'two' },
    { kind: 'page', action: 'create', name: 'one', actor: { kind: 'space_key' } },
  ])
})
