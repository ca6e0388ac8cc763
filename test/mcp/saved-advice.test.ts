import { beforeAll, describe, expect, test, vi } from 'vitest'
import { RendererBusyError } from '../../routers/core/renderer.ts'
import { SPACE_SCOPES } from '../../routers/core/scopes.ts'
import { useTestService } from '../support/test-service.ts'
import { type ToolResult, toolClient } from './support/tool-client.ts'

const service = useTestService()

// A write waits only a limited time for advice, and on a busy machine an evaluation can take longer.
beforeAll(() => {
  service.core.reviewPatience = 60_000
})

const connect = async (path: '/mcp' | '/mcp/studio' = '/mcp') => {
  const space = await service.createSpace()
  return toolClient(service, path, await space.key(...SPACE_SCOPES), '2026-07-28')
}

/** Returns the advice in a result. Also checks that the first block of the result is the saved object as JSON. */
const adviceIn = ({ content, structuredContent, isError }: ToolResult): string | undefined => {
  expect(isError).toBeUndefined()
  expect(JSON.parse(content[0]!.text)).toEqual(structuredContent)
  expect(content.length).toBeLessThanOrEqual(2)
  return content[1]?.text
}

describe('a tool that saves a page', () => {
  test('returns no advice if the page works', async () => {
    const client = await connect()
    const html = '<h1>{{ space.name }}</h1>'
    expect(adviceIn(await client.call('create_page', { slug: 'one', html }))).toBeUndefined()
  })

  test('says where and why the page has an error, and how to fix it', async () => {
    const client = await connect()
    const saved = await client.call('create_page', { slug: 'one', html: '<p>\n{% if x %}a' })
    expect(adviceIn(saved)).toBe(
      'It is saved, but not everything works. Correct this:\n- The page “one” shows an error: Page, line 2, column 1: {% if %} is never closed. Source: `{% if x %}a`. Add {% endif %} where it should end.',
    )
    const page_id = saved.structuredContent?.id
    expect(adviceIn(await client.call('update_page', { page_id, html: 'a' }))).toBeUndefined()
  })

  test('lists unknown names, markup that is removed, and broken links', async () => {
    const client = await connect()
    await client.call('put_data', { key: 'events', value: [] })
    const html =
      '{% layout "frame" %}{% block mian %}{{ data.evnts | upcse }}<a href="/abuot" onclick="x()">a</a>{% endblock %}'
    await client.call('create_part', { name: 'frame', html: '{% block mian %}{% endblock %}' })
    const advice = adviceIn(await client.call('create_page', { slug: 'about', kind: 'static', html }))
    expect(advice?.split('\n')).toEqual([
      'It is saved, but not everything works. Correct this:',
      '- Page, line 1, column 40: There is no data record “evnts”. Did you mean “events”?',
      '- Page, line 1, column 53: There is no filter “upcse”. It changes nothing. Did you mean “upcase”?',
      '- Removed when shown: onclick of <a>. Static pages run no scripts. Choose the kind “scripted” for a page that needs them.',
      '- The link “/abuot” leads nowhere: the site has no page “abuot”. Did you mean “about”?',
    ])
  })
})

describe('a tool that saves a part', () => {
  test('lists the pages that the part breaks, also through other parts', async () => {
    const client = await connect()
    const nav = await client.call('create_part', { name: 'nav', html: '<nav></nav>' })
    await client.call('create_part', { name: 'frame', html: '{% include "nav" %}' })
    await client.call('create_page', { slug: 'one', html: '{% include "frame" %}' })
    await client.call('create_page', { slug: 'two', html: '{% render "nav" %}' })
    await client.call('create_page', { slug: 'three', html: 'x' })
    const part_id = nav.structuredContent?.id

    expect(adviceIn(await client.call('update_part', { part_id, html: '{% endfor %}' }))).toMatch(
      /^- The pages “one”, “two” show an error: Part nav, line 1, column 1: .*opening tag\..*$/m,
    )
    const renamed = adviceIn(await client.call('update_part', { part_id, name: 'menu', html: 'a' }))
    expect(renamed).toContain('The page “one” shows an error: Part frame, line 1, column 1')
    expect(renamed).toContain('The page “two” shows an error: Page, line 1, column 1')
    expect(renamed).not.toContain('three')
  })

  test('checks a part by itself if no page includes it', async () => {
    const client = await connect()
    const html = '{{ item.title }}{{ item.date | dtae }}'
    expect(adviceIn(await client.call('create_part', { name: 'card', html }))).toBe(
      'It is saved, but not everything works. Correct this:\n- Part card, line 1, column 32: There is no filter “dtae”. It changes nothing. Did you mean “date”?',
    )
    expect(adviceIn(await client.call('create_part', { name: 'broken', html: '{% for %}' }))).toContain(
      'Part broken, line 1',
    )
  })
})

describe('a tool that changes a layout', () => {
  test('names the pages whose blocks the layout no longer has', async () => {
    const client = await connect('/mcp/studio')
    const html = '{% block main %}{% endblock %}'
    const frame = await client.call('create_part', { name: 'frame', html })
    const page = '{{ nothing }}{% layout "frame" %}{% block main %}a{% endblock %}'
    await client.call('create_page', { slug: 'one', html: page })
    await client.call('create_page', { slug: 'two', html: page })
    const edits = [{ old: 'block main', new: 'block body' }]
    const changed = await client.call('edit_part', { part_id: frame.structuredContent?.id, edits })
    expect(adviceIn(changed)?.split('\n')).toEqual([
      'It is saved, but not everything works. Correct this:',
      ...['one', 'two'].map(
        slug =>
          `- On the page “${slug}”: Page, line 1, column 34: The layout “frame” has no block “main”, so its content is not shown.`,
      ),
    ])
  })

  test('lists broken links and removed markup of the layout, but not those of its pages', async () => {
    const client = await connect()
    const html = '{% block main %}{% endblock %}'
    const frame = await client.call('create_part', { name: 'frame', html })
    const page =
      '{% layout "frame", photo: "https://example.com/a.png" %}{% block main %}<a href="/on-page">a</a><p onclick="x()">b</p>{% endblock %}'
    await client.call('create_page', { slug: 'one', kind: 'static', html: page })
    const changed = await client.call('update_part', {
      part_id: frame.structuredContent?.id,
      html: `<a href="/galery">a</a><img src="{{ photo }}"><script>x()</script>${html}`,
    })
    expect(adviceIn(changed)?.split('\n').slice(1)).toEqual([
      '- Removed when shown: <script>. Static pages run no scripts. Choose the kind “scripted” for a page that needs them.',
      '- The link “/galery” leads nowhere: the site has no page “galery”.',
    ])
  })
})

test('a tool that deletes a part, or restores its deletion, lists the pages that include it', async () => {
  const client = await connect('/mcp/studio')
  const nav = await client.call('create_part', { name: 'nav', html: 'a' })
  await client.call('create_page', { slug: 'one', html: '{% include "nav" %}' })
  const broken =
    /^- The page “one” shows an error: Page, line 1, column 1: This space has no part named “nav”/m
  expect(adviceIn(await client.call('delete_part', { part_id: nav.structuredContent?.id }))).toMatch(broken)

  const { changes } = (await client.call('list_changes')).structuredContent as { changes: { id: string }[] }
  const restore = (side: string) => client.call('restore', { change_id: changes[0]!.id, side })
  expect(adviceIn(await restore('before'))).toBeUndefined()
  expect(adviceIn(await restore('after'))).toMatch(broken)
})

test('a tool that writes a record says if its value is a string that contains JSON', async () => {
  const client = await connect('/mcp/studio')
  const advice = (key: string) =>
    `It is saved, but not everything works. Correct this:\n- The value of the record “${key}” is a string that contains JSON. Templates see a text, not a list or an object. Send the JSON itself as value, not in quotes.`
  const put = (value: unknown) => client.call('put_data', { key: 'one', value })
  expect(adviceIn(await put('[{"title":"Fair"}]'))).toBe(advice('one'))
  for (const value of ['[a note]', '5', 'plain', [{ title: 'Fair' }]])
    expect(adviceIn(await put(value))).toBeUndefined()
  const records = [
    { key: 'good', value: {} },
    { key: 'bad', value: '{"a":1}' },
  ]
  expect(adviceIn(await client.call('write_many', { records }))).toBe(advice('bad'))
})

test('a tool that saves several pages names the page of each problem', async () => {
  const client = await connect('/mcp/studio')
  const saved = await client.call('write_many', {
    pages: [
      { slug: 'good', html: 'x' },
      { slug: 'one', html: '{{ space.nme }}' },
      { slug: 'two', html: '<a href="/goodd">a</a>' },
    ],
  })
  expect(adviceIn(saved)?.split('\n').slice(1)).toEqual([
    '- On the page “one”: Page, line 1, column 4: “space” has no field “nme”; it has name, subdomain and url. Did you mean “name”?',
    '- On the page “two”: The link “/goodd” leads nowhere: the site has no page “goodd”. Did you mean “good”?',
  ])
})

test.each(['busy', 'failing'])(
  'if the renderer is %s, a write is saved and returns no advice',
  async state => {
    const client = await connect()
    const render = vi
      .spyOn(service.core.renderer, 'render')
      .mockRejectedValue(state === 'busy' ? new RendererBusyError() : new Error('x'))
    try {
      const saved = await client.call('create_page', { slug: 'one', html: '{{ x' })
      expect(adviceIn(saved)).toBeUndefined()
      expect((await client.call('list_pages')).structuredContent?.data).toHaveLength(1)
    } finally {
      render.mockRestore()
    }
  },
)

test('if the renderer never responds, a write still returns', async () => {
  const client = await connect()
  const { reviewPatience } = service.core
  service.core.reviewPatience = 500
  const render = vi.spyOn(service.core.renderer, 'render').mockReturnValue(new Promise(() => {}))
  try {
    expect(adviceIn(await client.call('create_page', { slug: 'one', html: '{{ x' }))).toBeUndefined()
  } finally {
    render.mockRestore()
    service.core.reviewPatience = reviewPatience
  }
})

test('REST returns the page without advice', async () => {
  const { api } = await service.createSpace()
  const { body } = await api.post('/pages', { slug: 'one', html: '{% if %}' })
  expect(Object.keys(body)).toEqual(['id', 'slug', 'kind', 'url', 'created_at', 'updated_at'])
})
