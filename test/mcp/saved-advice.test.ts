import { beforeAll, describe, expect, test, vi } from 'vitest'
import { RendererBusyError } from '../../routers/api/renderer.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { useTestService } from '../support/test-service.ts'
import { type ToolResult, toolClient } from './support/tool-client.ts'

const service = useTestService()

// The advice comes from a review of what a write has saved. Let writes wait longer than usual for this review, because
// reviews take longer on a busy machine.
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
      'Saved, but with problems. Correct these:\n- The page “one” shows an error: Page, line 2, column 1: {% if %} is never closed. Source: `{% if x %}a`. Add {% endif %} where it should end.',
    )
    const page_id = saved.structuredContent?.id
    expect(adviceIn(await client.call('update_page', { page_id, html: 'a' }))).toBeUndefined()
  })

  test('lists unknown names even if the page has an error', async () => {
    const client = await connect('/mcp/studio')
    await client.call('put_data', { key: 'events', value: [] })
    const html = '{{ data.evnts | upcse }}{% render "nothing" %}'
    const saved = [
      await client.call('create_page', { slug: 'one', html }),
      await client.call('write_many', { pages: [{ slug: 'two', html }] }),
    ]
    for (const result of saved)
      expect(adviceIn(result)?.split('\n')).toEqual([
        'Saved, but with problems. Correct these:',
        expect.stringMatching(/^- The page “(one|two)” shows an error: Page, line 1, column 25: /),
        expect.stringMatching(
          /Page, line 1, column 4: There is no data record “evnts”. Did you mean “events”\?$/,
        ),
        expect.stringMatching(/Page, line 1, column 17: There is no filter “upcse”/),
      ])
    const { structuredContent } = await client.call('check_template', { html })
    expect(structuredContent).toMatchObject({
      works: false,
      errors: [{ error: { kind: 'missing_part' } }],
      hints: [{ nearest: 'events' }, { nearest: 'upcase' }],
    })
  })

  test('lists unknown names, markup that is removed, and broken links', async () => {
    const client = await connect()
    await client.call('put_data', { key: 'events', value: [] })
    const html =
      '{% layout "frame" %}{% block mian %}{{ data.evnts | upcse }}<a href="/abuot" onclick="x()">a</a>{% endblock %}'
    await client.call('create_part', { name: 'frame', html: '{% block mian %}{% endblock %}' })
    const advice = adviceIn(await client.call('create_page', { slug: 'about', kind: 'static', html }))
    expect(advice?.split('\n')).toEqual([
      'Saved, but with problems. Correct these:',
      '- Page, line 1, column 40: There is no data record “evnts”. Did you mean “events”?',
      '- Page, line 1, column 53: There is no filter “upcse”, so the value is not changed. Did you mean “upcase”?',
      '- Page, line 1: Removed when shown: onclick of <a>. Static pages run no scripts. Choose the kind “scripted” for a page that needs them.',
      '- Page, line 1: The link “/abuot” leads nowhere: the site has no page “abuot”. Did you mean “about”?',
    ])
  })
})

describe('a tool that saves a part', () => {
  test('lists the pages that the part breaks, directly or through other parts', async () => {
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

  test('lists unknown names in a broken part, but not in the pages that the part breaks', async () => {
    const client = await connect()
    const html = '{% include nothing %}{{ "a" | upcse }}'
    const nav = await client.call('create_part', { name: 'nav', html })
    const own = 'Part nav, line 1, column 31: There is no filter “upcse”'
    expect(adviceIn(nav)).toContain(own)
    await client.call('create_page', { slug: 'one', html: '{{ "a" | dwncase }}{% include "nav" %}' })
    const changed = await client.call('update_part', {
      part_id: nav.structuredContent?.id,
      html: `${html} `.repeat(2),
    })
    const advice = adviceIn(changed)
    expect(advice).toContain(
      'The page “one” shows an error: Part nav, line 1, column 1: This tag names no part, because its variable is empty.',
    )
    expect(advice).toContain(own)
    expect(advice).not.toContain('dwncase')
  })

  test('checks the part alone if no page includes the part', async () => {
    const client = await connect()
    const html = '{{ item.title }}{{ item.date | dtae }}'
    expect(adviceIn(await client.call('create_part', { name: 'card', html }))).toBe(
      'Saved, but with problems. Correct these:\n- Part card, line 1, column 32: There is no filter “dtae”, so the value is not changed. Did you mean “date”?',
    )
    expect(adviceIn(await client.call('create_part', { name: 'broken', html: '{% for %}' }))).toContain(
      'Part broken, line 1',
    )
  })
})

describe('a tool that saves a record', () => {
  test('lists the pages that use the record and show an error', async () => {
    const client = await connect('/mcp/studio')
    await client.call('put_data', { key: 'fair', value: { card: 'stall', menu: [] } })
    await client.call('create_part', { name: 'stall', html: 'A stall' })
    await client.call('create_part', {
      name: 'when',
      html: '\n{% include data.fair.card %}{% for m in data.fair.menu %}<a href="/{{ m }}">m</a>{% endfor %}',
    })
    await client.call('create_page', { slug: 'one', html: 'a\n{% include "when" %}' })
    await client.call('create_page', { slug: 'two', html: '{% include data["fair"].card %}' })
    await client.call('create_page', { slug: 'three', html: 'data' })
    const edits = [{ old: '"stall"', new: '"Mars"' }]
    for (const saved of [
      await client.call('edit_data', { key: 'fair', edits }),
      await client.call('put_data', { key: 'fair', value: { card: 'Mars' } }),
    ])
      expect(adviceIn(saved)?.split('\n')).toEqual([
        'Saved, but with problems. Correct these:',
        expect.stringMatching(
          /^- The page “two” shows an error: Page, line 1, column 1: This space has no part/,
        ),
        expect.stringMatching(
          /^- The page “one” shows an error: Part when, line 1, column 1: This space has no part/,
        ),
      ])
    const links = await client.call('put_data', { key: 'fair', value: { card: 'stall', menu: ['oen'] } })
    expect(adviceIn(links)?.split('\n').slice(1)).toEqual([
      '- On the page “one”: Record fair.menu[0]: The link “/oen” leads nowhere: the site has no page “oen”.',
    ])
  })

  test('says nothing about pages to a key that may not read pages', async () => {
    const space = await service.createSpace()
    await space.api.post('/pages', { slug: 'one', html: '{% include data.card %}' })
    const client = toolClient(service, '/mcp', await space.key('data'), '2026-07-28')
    expect(adviceIn(await client.call('put_data', { key: 'card', value: 'Mars' }))).toBeUndefined()
  })
})

test('lines are those of the text that was sent, also if it begins with empty lines', async () => {
  const client = await connect('/mcp/studio')
  const html = '\n\n  {{ 1 | upcse }}\n{% if %}'
  const saved = [
    await client.call('create_page', { slug: 'one', html }),
    await client.call('create_part', { name: 'one', html }),
    await client.call('write_many', { pages: [{ slug: 'two', html }], parts: [{ name: 'two', html }] }),
  ]
  for (const result of saved) {
    const advice = adviceIn(result)
    expect(advice).toContain(', line 4, column ')
    expect(advice).not.toContain(', line 2')
  }
  const hinted = adviceIn(await client.call('create_page', { slug: 'three', html: html.slice(0, -8) }))
  expect(hinted).toContain('Page, line 3, column 10: There is no filter “upcse”')
})

test('a part on more pages than are checked: the result names the pages that were not checked', async () => {
  const client = await connect('/mcp/studio')
  const pages = Array.from({ length: 12 }, (_, index) => ({
    slug: `p${10 + index}`,
    html: '{% include "nav" %}',
  }))
  await client.call('write_many', { pages, parts: [{ name: 'nav', html: 'a' }] })
  const checked = await client.call('check_template', { part_name: 'nav', html: 'b' })
  expect(checked.structuredContent).toMatchObject({
    works: true,
    is_complete: false,
    unchecked: ['the page “p20”', 'the page “p21”'],
  })
  const nav = (await client.call('list_parts')).structuredContent?.data as { id: string }[]
  expect(adviceIn(await client.call('update_part', { part_id: nav[0]!.id, html: 'b' }))).toBe(
    'Saved. Not checked, because there is too much to check or the service is busy: the page “p20”, the page “p21”.',
  )
  await client.call('delete_page', { page_id: (await pageNamed(client, 'p21')).id })
  await client.call('delete_page', { page_id: (await pageNamed(client, 'p20')).id })
  const again = await client.call('check_template', { part_name: 'nav', html: 'c' })
  expect(again.structuredContent).toMatchObject({ is_complete: true, unchecked: [] })
})

const pageNamed = async (client: Awaited<ReturnType<typeof connect>>, slug: string) => {
  const { data } = (await client.call('list_pages')).structuredContent as {
    data: { id: string; slug: string }[]
  }
  return data.find(page => page.slug === slug)!
}

describe('a tool that changes a layout', () => {
  test('names the pages with a block that the layout no longer has', async () => {
    const client = await connect('/mcp/studio')
    const html = '{% block main %}{% endblock %}'
    const frame = await client.call('create_part', { name: 'frame', html })
    const page = '{{ nothing }}{% layout "frame" %}{% block main %}a{% endblock %}'
    await client.call('create_page', { slug: 'one', html: page })
    await client.call('create_page', { slug: 'two', html: page })
    const edits = [{ old: 'block main', new: 'block body' }]
    const changed = await client.call('edit_part', { part_id: frame.structuredContent?.id, edits })
    expect(adviceIn(changed)?.split('\n')).toEqual([
      'Saved, but with problems. Correct these:',
      ...['one', 'two'].map(
        slug =>
          `- On the page “${slug}”: Page, line 1, column 34: The layout “frame” has no block “main”, so this block is not shown.`,
      ),
    ])
  })

  test('lists broken links and removed markup in the layout, but not in its pages', async () => {
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
      '- Part frame, line 1: Removed when shown: <script>. Static pages run no scripts. Choose the kind “scripted” for a page that needs them.',
      '- Part frame, line 1: The link “/galery” leads nowhere: the site has no page “galery”.',
    ])
  })
})

test('deleting a part lists the pages that include the part, also if `restore` goes back to a state without the part', async () => {
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

test('when a tool changes a page’s slug, the result lists the items that link to the old address', async () => {
  const client = await connect()
  const about = await client.call('create_page', { slug: 'about', html: 'x' })
  await client.call('create_page', { slug: 'other', html: '<a href="/about">a</a>' })
  const change = async (fields: object) =>
    adviceIn(await client.call('update_page', { page_id: about.structuredContent?.id, ...fields }))
  expect(await change({ slug: 'team' })).toBe(
    'Saved, but with problems. Correct these:\n- The page “about” was renamed to “team”, but these still link to its old address: the page “other”.',
  )
  expect(await change({ slug: 'team', html: 'y' })).toBeUndefined()
})

test('`undo`, `restore` and renames in `write_many` report the items that refer to what they take away', async () => {
  const client = await connect('/mcp/studio')
  const line = (text: string) => `Saved, but with problems. Correct these:\n- ${text}`
  const gone = line('The page “team” is gone, but these still link to it: the page “other”.')
  await client.call('create_page', { slug: 'other', html: '<a href="/team">a</a>' })
  const made = await client.call('write_many', { pages: [{ slug: 'team', html: 'x' }] })
  expect(adviceIn(made)).toBeUndefined()
  const { changes } = (await client.call('list_changes')).structuredContent as {
    changes: { id: string; operation: string }[]
  }
  const [{ id: change_id, operation }] = changes as [(typeof changes)[number]]
  expect(adviceIn(await client.call('undo', { operation }))).toBe(gone)
  const restore = (side: string) => client.call('restore', { change_id, side })
  expect(adviceIn(await restore('after'))).toBeUndefined()
  expect(adviceIn(await restore('before'))).toBe(gone)
  await restore('after')
  const pages = [{ slug: 'team', new_slug: 'people' }]
  expect(adviceIn(await client.call('write_many', { pages }))).toBe(
    line(
      'The page “team” was renamed to “people”, but these still link to its old address: the page “other”.',
    ),
  )
})

test('a write that changes nothing says so', async () => {
  const client = await connect()
  const page = await client.call('create_page', { slug: 'one', html: '{{ x' })
  const page_id = page.structuredContent?.id
  expect(adviceIn(await client.call('update_page', { page_id, html: '{{ x' }))).toBe(
    'Nothing was changed: everything was like this already.',
  )
})

describe('a tool that deletes an item', () => {
  const deletedAdvice = (line: string) => `Deleted, but with problems. Correct these:\n- ${line}`

  test('after deleting a page, lists the items that still link to that page', async () => {
    const client = await connect()
    const about = await client.call('create_page', { slug: 'about', html: 'x' })
    const other = await client.call('create_page', { slug: 'about-us', html: '<a href="/about">a</a>' })
    await client.call('create_part', {
      name: 'nav',
      html: `<a href='${about.structuredContent?.url as string}#top'>a</a>`,
    })
    await client.call('put_data', { key: 'menu', value: [{ href: '/about' }] })
    await client.call('create_page', { slug: 'none', html: '<a href="/about-us">a</a> and/about' })
    const advice = adviceIn(await client.call('delete_page', { page_id: about.structuredContent?.id }))
    expect(advice).toBe(
      deletedAdvice(
        'The page “about” is gone, but these still link to it: the part “nav”, the page “about-us”, the record “menu”.',
      ),
    )
    await client.call('update_page', { page_id: other.structuredContent?.id, html: 'x', slug: 'us' })
    const gone = await client.call('delete_page', { page_id: other.structuredContent?.id })
    expect(adviceIn(gone)).toBeUndefined()
  })

  test('after deleting a record, lists the items that still use that record', async () => {
    const client = await connect()
    for (const key of ['events', 'events-old', 'unused']) await client.call('put_data', { key, value: [] })
    await client.call('create_page', { slug: 'one', html: '{{ data.events | size }}' })
    await client.call('create_page', { slug: 'two', html: '{{ data["events-old"] | size }} events' })
    const remove = async (key: string) => adviceIn(await client.call('delete_data', { key }))
    expect(await remove('events')).toBe(
      deletedAdvice('The record “events” is gone, but these still use it: the page “one”.'),
    )
    expect(await remove('events-old')).toContain('the page “two”.')
    expect(await remove('unused')).toBeUndefined()
  })

  test('after deleting a file, lists the pages that contain the name or the address of that file', async () => {
    const client = await connect()
    const upload = async (name: string) =>
      (await client.call('upload_file', { name, content: 'x', encoding: 'text' })).structuredContent!
    const [used, unused] = [await upload('a.txt'), await upload('b.txt')]
    const html = '{% assign f = files | where: "name", "a.txt" | first %}{{ f.url }}'
    await client.call('create_page', { slug: 'by-name', html })
    await client.call('create_page', { slug: 'by-url', html: `<a href="${used.url as string}">b.txt</a>` })
    const remove = async (file_id: unknown) => adviceIn(await client.call('delete_file', { file_id }))
    expect(await remove(used.id)).toBe(
      deletedAdvice(
        'The file “a.txt” is gone, but these still use it: the page “by-url”, the page “by-name”.',
      ),
    )
    expect(await remove(unused.id)).toBeUndefined()
  })

  test('says nothing false about a deleted file if another file has the same name', async () => {
    const client = await connect()
    const upload = async () =>
      (await client.call('upload_file', { name: 'a.txt', content: 'x', encoding: 'text' })).structuredContent!
    const first = await upload()
    const html = '{% assign f = files | where: "name", "a.txt" | first %}{{ f.url }}'
    await client.call('create_page', { slug: 'by-name', html })
    const second = await upload()
    expect(adviceIn(await client.call('delete_file', { file_id: second.id }))).toBe(
      deletedAdvice(
        `Another file is named “a.txt” too (file_id ${first.id as string}). These look a file up by this name, and can find that one now: the page “by-name”.`,
      ),
    )
    expect(adviceIn(await client.call('delete_file', { file_id: first.id }))).toBe(
      deletedAdvice('The file “a.txt” is gone, but these still use it: the page “by-name”.'),
    )
  })

  test('names only items that the key may read', async () => {
    const space = await service.createSpace()
    await space.api.put('/data/events', { value: [] })
    await space.api.post('/pages', { slug: 'one', html: '{{ data.events }}' })
    const client = toolClient(service, '/mcp', await space.key('data'), '2026-07-28')
    expect(adviceIn(await client.call('delete_data', { key: 'events' }))).toBeUndefined()
  })
})

test('a file with a taken name: the result says which file templates find', async () => {
  const client = await connect()
  const upload = (name: string) => client.call('upload_file', { name, content: 'x', encoding: 'text' })
  const first = await upload('a.txt')
  expect(adviceIn(first)).toBeUndefined()
  const [a, b] = [
    first.structuredContent!.id as string,
    (await upload('b.txt')).structuredContent!.id as string,
  ]
  const second = await upload('a.txt')
  const c = second.structuredContent!.id as string
  const rest =
    'To replace the content of a file, call update_file with its id; delete the files that are not needed.'
  expect(adviceIn(second)).toContain(
    `2 files are named “a.txt”. Templates that look a file up by this name find this new one (file_id ${c}). The others: ${a}. ${rest}`,
  )
  await client.call('create_page', { slug: 'one', html: '{{ files | where: "name", "b.txt" | size }}' })
  const renamed = adviceIn(await client.call('update_file', { file_id: b, name: 'a.txt' }))
  expect(renamed).toContain(
    `3 files are named “a.txt”. Templates that look a file up by this name find a newer one (file_id ${c}), not this one.`,
  )
  expect(renamed).toContain(
    'The file “b.txt” was renamed to “a.txt”, but these still look it up by its old name: the page “one”.',
  )
})

test('a tool that writes a record warns if the value is a string that contains JSON', async () => {
  const client = await connect('/mcp/studio')
  const advice = (key: string) =>
    `Saved, but with problems. Correct these:\n- The value of the record “${key}” is a string that contains JSON. Templates see text, not a list or an object. Send the JSON itself as the value, without quotes around it.`
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
    '- On the page “two”: Page, line 1: The link “/goodd” leads nowhere: the site has no page “goodd”. Did you mean “good”?',
  ])
})

const UNCHECKED =
  'Saved. Not checked, because there is too much to check or the service is busy: the page “one”.'

test.each([
  ['busy', UNCHECKED],
  ['failing', undefined],
])('a write is saved if the renderer is %s, and returns what was not checked', async (state, advice) => {
  const client = await connect()
  const render = vi
    .spyOn(service.core.renderer, 'render')
    .mockRejectedValue(state === 'busy' ? new RendererBusyError() : new Error('x'))
  try {
    const saved = await client.call('create_page', { slug: 'one', html: '{{ x' })
    expect(adviceIn(saved)).toBe(advice)
    expect((await client.call('list_pages')).structuredContent?.data).toHaveLength(1)
  } finally {
    render.mockRestore()
  }
})

test('a write says what was not checked if the renderer never responds', async () => {
  const client = await connect()
  const { reviewPatience } = service.core
  service.core.reviewPatience = 500
  const render = vi.spyOn(service.core.renderer, 'render').mockReturnValue(new Promise(() => {}))
  try {
    expect(adviceIn(await client.call('create_page', { slug: 'one', html: '{{ x' }))).toBe(UNCHECKED)
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
