import { beforeEach, describe, expect, test } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { testPng } from '../support/png.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { type ToolClient, type ToolResult, toolClient } from './support/tool-client.ts'

const service = useTestService()
let space: TestSpace
let client: ToolClient

beforeEach(async () => {
  space = await service.createSpace()
  client = toolClient(service, '/mcp/studio', await space.key(...SPACE_SCOPES), '2026-07-28')
})

const written = async (name: string, args: Record<string, unknown>) => {
  const { isError, content, structuredContent } = await client.call(name, args)
  expect({ isError, content }).toMatchObject({ isError: undefined })
  return structuredContent!
}
const problem = async (name: string, args: Record<string, unknown>) => {
  const { isError, content }: ToolResult = await client.call(name, args)
  expect(isError).toBe(true)
  return JSON.parse(content[0]!.text) as { code: string }
}
const edit = (old: string, replacement: string) => ({ old, new: replacement })

describe.each([
  ['page', 'create_page', 'get_page', 'edit_page', 'slug', 'page_id'],
  ['part', 'create_part', 'get_part', 'edit_part', 'name', 'part_id'],
] as const)('an edit of a %s', (_kind, create, get, change, named, idOf) => {
  const start = async (html: string) => {
    const { id, updated_at } = await written(create, { [named]: 'one', html })
    return { id: { [idOf]: id }, updated_at }
  }
  const htmlOf = async (id: object) => (await written(get, id as Record<string, unknown>)).html

  test('makes its replacements in order, each in the result of the previous one', async () => {
    const { id } = await start('<p>one</p>\n<p>two</p>')
    await written(change, { ...id, edits: [edit('one', 'three $& $1'), edit('three', '3'), edit('\n', '')] })
    expect(await htmlOf(id)).toBe('<p>3 $& $1</p><p>two</p>')
  })

  test.each([
    ['absent', 'must occur exactly once, but does not occur; white space must match exactly'],
    ['a', 'must occur exactly once, but occurs 2 times, in lines 1, 2; include more of the text around it'],
    ['c', 'must occur exactly once, but occurs 2 times, in line 2; include more of the text around it'],
  ])('is refused if a text to replace does not occur exactly once: %s', async (old, message) => {
    const { id } = await start('a b\na cc')
    expect(await problem(change, { ...id, edits: [edit('b', 'x'), edit(old, 'y')] })).toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'edits.1.old', message }],
    })
    expect(await htmlOf(id)).toBe('a b\na cc')
  })

  test.each([
    [
      'a text that an earlier edit has put in',
      [edit('b', 'a'), edit('a', 'y')],
      'must occur exactly once, but occurs 2 times, in line 1 and in the text of edits.0.new; include more of the text around it',
    ],
    [
      'a text that only an earlier edit has put in',
      [edit('b', 'one\none'), edit('one', 'y')],
      'must occur exactly once, but occurs 2 times, in the text of edits.0.new; include more of the text around it',
    ],
    [
      'a text below a passage to which an earlier edit has added lines',
      [edit('a', '1\n2\n3'), edit('c', 'y')],
      'must occur exactly once, but occurs 2 times, in lines 2, 3; include more of the text around it',
    ],
    [
      'a text that an earlier edit has removed',
      [edit('b', 'x'), edit('b', 'y')],
      'must occur exactly once, but does not occur any more after the edits before this one, because each is made in the result of the previous one',
    ],
  ])('explains %s, with the lines of the text that was read', async (_what, edits, message) => {
    const { id } = await start('a b\nc\nc')
    const index = edits.length - 1
    expect(await problem(change, { ...id, edits })).toMatchObject({
      errors: [{ field: `edits.${index}.old`, message }],
    })
  })

  test('is refused if it would leave an empty body, or change nothing', async () => {
    const { id } = await start('a')
    expect(await problem(change, { ...id, edits: [edit('a', ' ')] })).toMatchObject({
      errors: [{ field: 'edits' }],
    })
    expect(await problem(change, { ...id, edits: [edit('a', 'a'), edit('', 'b')] })).toMatchObject({
      errors: [{ field: 'edits.0.new' }, { field: 'edits.1.old' }],
    })
    expect(await problem(change, { ...id, edits: [] })).toMatchObject({ errors: [{ field: 'edits' }] })
  })

  test('is refused if it names a version that is no longer current', async () => {
    const { id, updated_at } = await start('a b')
    const first = await written(change, { ...id, edits: [edit('a', 'x')], updated_at })
    expect(await problem(change, { ...id, edits: [edit('b', 'y')], updated_at })).toMatchObject({
      code: 'version_conflict',
    })
    await written(change, { ...id, edits: [edit('b', 'y')], updated_at: first.updated_at })
    expect(await htmlOf(id)).toBe('x y')
  })

  test('does not undo concurrent edits', async () => {
    const letters = ['a', 'b', 'c', 'd']
    const { id } = await start(letters.join(' '))
    const results = await Promise.all(
      letters.map(letter => client.call(change, { ...id, edits: [edit(letter, letter.toUpperCase())] })),
    )
    const html = String(await htmlOf(id))
    for (const [index, { isError }] of results.entries())
      expect(html).toContain(isError ? letters[index]! : letters[index]!.toUpperCase())
  })

  test('is recorded in the history and can be undone', async () => {
    const { id } = await start('a b')
    await written(change, { ...id, edits: [edit('a', 'x')] })
    const { changes } = await written('list_changes', {})
    const [last] = changes as { id: string; action: string }[]
    expect(last).toMatchObject({ action: 'change' })
    await written('restore', { change_id: last!.id, side: 'before' })
    expect(await htmlOf(id)).toBe('a b')
  })
})

describe('an edit of a record', () => {
  test('replaces parts of the compact JSON of the value', async () => {
    await written('put_data', { key: 'one', value: { title: 'Fair', places: [1, 2] }, description: 'About' })
    const edits = [edit('"title":"Fair"', '"title":"Fête"'), edit('[1,2]', '[1,2,3]')]
    expect(await written('edit_data', { key: 'one', edits, version: 1 })).toMatchObject({
      value: { title: 'Fête', places: [1, 2, 3] },
      description: 'About',
      version: 2,
    })
    expect(await problem('edit_data', { key: 'one', edits, version: 1 })).toMatchObject({
      code: 'version_conflict',
    })
  })

  test('is refused if the result is not JSON or breaks a rule', async () => {
    await written('put_data', { key: 'one', value: { a: 1 } })
    for (const replacement of ['', `"${'x'.repeat(70_000)}"`])
      expect(await problem('edit_data', { key: 'one', edits: [edit('1', replacement)] })).toMatchObject({
        code: 'validation_failed',
      })
    expect(await written('get_data', { key: 'one' })).toMatchObject({ value: { a: 1 }, version: 1 })
  })
})

describe('write_many', () => {
  const content = {
    parts: [{ name: 'frame', html: '<main>{% block content %}{% endblock %}</main>' }],
    records: [{ key: 'events', value: ['Fair'], description: 'What is on' }],
    pages: [
      {
        slug: 'index',
        kind: 'static',
        html: '{% layout "frame" %}{% block content %}{{ data.events[0] }}{% endblock %}',
      },
      { slug: 'about', html: '<a href="/">Home</a>' },
    ],
  }

  test('creates pages, parts and records that refer to each other', async () => {
    const result = await client.call('write_many', content)
    expect(result.content).toHaveLength(1)
    expect(result.structuredContent).toMatchObject({
      pages: [
        { slug: 'index', kind: 'static' },
        { slug: 'about', kind: 'scripted' },
      ],
      parts: [{ name: 'frame' }],
      records: [{ key: 'events', version: 1 }],
    })
    const [page] = result.structuredContent!.pages as { id: string }[]
    expect(await written('render_page', { page_id: page!.id })).toMatchObject({ content: 'Fair' })
  })

  test('replaces existing items and keeps their ids, kinds and descriptions', async () => {
    const first = await written('write_many', content)
    const second = await written('write_many', {
      pages: [{ slug: 'index', html: 'x' }],
      parts: [{ name: 'frame', html: 'y' }],
      records: [{ key: 'events', value: [], version: 1 }],
    })
    const ids = (result: Record<string, unknown>, kind: string) => (result[kind] as { id: string }[])[0]!.id
    for (const kind of ['pages', 'parts']) expect(ids(second, kind)).toBe(ids(first, kind))
    expect(second).toMatchObject({ pages: [{ kind: 'static' }], records: [{ version: 2 }] })
    expect(await written('get_data', { key: 'events' })).toMatchObject({ description: 'What is on' })
  })

  test.each([
    [
      'a version that is not current',
      { records: [{ key: 'events', value: 1, version: 9 }] },
      'data_not_found',
    ],
    [
      'a cycle of parts',
      {
        parts: [
          { name: 'a', html: '{% include "b" %}' },
          { name: 'b', html: '{% include "a" %}' },
        ],
      },
      'validation_failed',
    ],
    ['an invalid page', { pages: [{ slug: 'articles', html: 'x' }] }, 'validation_failed'],
    [
      'too many records',
      {
        records: Array.from({ length: 20 }, (_, index) => ({ key: `k${index}`, value: 'x'.repeat(60_000) })),
      },
      'payload_too_large',
    ],
  ])('writes nothing if the call has %s', async (_title, bad: object, code) => {
    const all = { pages: [{ slug: 'one', html: 'x' }], ...bad }
    const found = await problem('write_many', all)
    expect(found.code).toBe(code)
    expect((await written('list_pages', {})).data).toEqual([])
    expect((await written('list_parts', {})).data).toEqual([])
    expect((await written('list_data', {})).data).toEqual([])
  })

  test('reports the part that would complete a cycle of includes', async () => {
    const found = await problem('write_many', {
      parts: [
        { name: 'alone', html: 'x' },
        { name: 'own', html: '{% include "own" %}' },
      ],
    })
    expect(found).toMatchObject({
      errors: [{ field: 'parts.1.html', message: 'must not create a cycle of includes: own → own' }],
    })
  })

  test.each([
    ['pages.1.slug', { pages: [1, 2].map(() => ({ slug: 'one', html: 'x' })) }],
    ['parts.1.name', { parts: [1, 2].map(() => ({ name: 'one', html: 'x' })) }],
    ['records.1.key', { records: [1, 2].map(value => ({ key: 'one', value })) }],
  ])('is refused if it has two items with the same name: %s', async (field, all) => {
    expect(await problem('write_many', all)).toMatchObject({
      errors: [{ field, message: 'occurs twice in this call' }],
    })
  })

  test('needs the scope of each item that it writes', async () => {
    const one = toolClient(service, '/mcp/studio', await space.key('data'), '2026-07-28')
    expect((await one.call('write_many', content)).content[0]!.text).toContain('insufficient_scope')
    expect((await one.call('write_many', { records: content.records })).isError).toBeUndefined()
  })

  test('is refused if there is nothing to write', async () => {
    expect(await problem('write_many', {})).toMatchObject({ errors: [{ field: '$' }] })
  })
})

describe('the version that a call started from', () => {
  const stale = '2020-01-01T00:00:00.000Z'
  const file = { name: 'a.txt', content: 'x', encoding: 'text' }

  test.each([
    ['update_page', 'delete_page', 'page_id', 'create_page', { slug: 'one', html: 'x' }, { html: 'y' }],
    ['update_part', 'delete_part', 'part_id', 'create_part', { name: 'one', html: 'x' }, { html: 'y' }],
    ['update_file', 'delete_file', 'file_id', 'upload_file', file, { name: 'b.txt' }],
  ])('%s and %s refuse another one', async (update, remove, idOf, create, args, change) => {
    const { id, updated_at } = await written(create, args)
    for (const [name, more] of [
      [update, change],
      [remove, {}],
    ] as const) {
      const found = await problem(name, { [idOf]: id, ...more, updated_at: stale })
      expect(found).toMatchObject({
        code: 'version_conflict',
        detail: `The ${idOf.slice(0, -3)} was changed at ${String(updated_at)}.`,
      })
      expect(await problem(name, { [idOf]: id, ...more, updated_at: 5 })).toMatchObject({
        errors: [{ field: 'updated_at', message: 'must be a string' }],
      })
    }
    const changed = await written(update, { [idOf]: id, ...change, updated_at })
    await written(remove, { [idOf]: id, updated_at: changed.updated_at })
  })

  test('delete_data refuses another one', async () => {
    await written('put_data', { key: 'one', value: 1 })
    expect(await problem('delete_data', { key: 'one', version: 2 })).toMatchObject({
      code: 'version_conflict',
      detail: 'The current version is 1.',
    })
    await written('delete_data', { key: 'one', version: 1 })
  })

  test.each([
    ['page', 'create_page', { slug: 'one', html: 'x' }, 'delete_page', 'page_id'],
    ['part', 'create_part', { name: 'one', html: 'x' }, 'delete_part', 'part_id'],
    ['file', 'upload_file', file, 'delete_file', 'file_id'],
    ['record', 'put_data', { key: 'one', value: 1 }, 'delete_data', 'key'],
  ] as const)('restore refuses another one of a %s', async (kind, create, args, remove, idOf) => {
    const { id, key, updated_at, name } = await written(create, args)
    const { changes } = await written('list_changes', {})
    const change_id = (changes as { id: string }[])[0]!.id
    const restored = async (base: unknown) => {
      const sent = { change_id, side: 'after', updated_at: base }
      const { isError, content } = await client.call('restore', sent)
      return isError ? (JSON.parse(content[0]!.text) as { detail: string }).detail : 'restored'
    }
    const what = `The ${kind} “${kind === 'file' ? String(name) : 'one'}”`
    expect([await restored(stale), await restored(null), await restored(updated_at)]).toEqual([
      `${what} was changed at ${String(updated_at)}.`,
      `${what} exists already.`,
      'restored',
    ])
    await written(remove, { [idOf]: id ?? key })
    expect([await restored(updated_at), await restored(null)]).toEqual([
      `${what} no longer exists.`,
      'restored',
    ])
  })

  test('is an argument at /mcp/studio only', async () => {
    const plain = toolClient(service, '/mcp', await space.key(...SPACE_SCOPES), '2026-07-28')
    const argumentsAt = async (at: ToolClient, name: string) =>
      Object.keys((await at.tools()).find(tool => tool.name === name)!.inputSchema.properties ?? {})
    for (const [name, argument] of [
      ['update_page', 'updated_at'],
      ['delete_file', 'updated_at'],
      ['delete_data', 'version'],
    ] as const) {
      expect(await argumentsAt(client, name)).toContain(argument)
      expect(await argumentsAt(plain, name)).not.toContain(argument)
    }
    const { id, updated_at } = await written('create_page', { slug: 'one', html: 'x' })
    const { content } = await plain.call('delete_page', { page_id: id, updated_at })
    expect(JSON.parse(content[0]!.text)).toMatchObject({ errors: [{ field: 'updated_at' }] })
  })
})

describe('update_space', () => {
  test('changes the name, sets and removes the icon', async () => {
    const png = await testPng({ width: 256, height: 256 })
    expect(await written('update_space', { name: 'Orchard', png })).toMatchObject({
      name: 'Orchard',
      icon_url: expect.stringContaining('/_icons/'),
    })
    expect(await written('get_space', {})).toMatchObject({ name: 'Orchard' })
    expect(await written('update_space', { png: null })).toMatchObject({ name: 'Orchard', icon_url: null })
    expect(await problem('update_space', {})).toMatchObject({ errors: [{ field: '$' }] })
    const { changes } = await space.owner.history.list({ subdomain: space.subdomain })
    expect(changes.map(({ kind, thing, actor }) => `${kind} ${thing} ${actor.kind}`)).toEqual([
      'space icon space_key',
      'space name space_key',
      'space icon space_key',
    ])
  })

  test('needs a key with the scopes pages, data and files_write, which alone sees the tool', async () => {
    for (const scopes of [
      ['data', 'files_write'],
      ['pages', 'files_write'],
      ['pages', 'data', 'files'],
    ] as const) {
      const other = toolClient(service, '/mcp/studio', await space.key(...scopes), '2026-07-28')
      expect((await other.tools()).map(({ name }) => name)).not.toContain('update_space')
      const { content } = await other.call('update_space', { name: 'x' })
      expect(JSON.parse(content[0]!.text)).toMatchObject({ code: 'insufficient_scope' })
    }
  })
})

describe('write_many with items that exist', () => {
  const start = () =>
    written('write_many', {
      pages: [{ slug: 'one', kind: 'static', html: '{% include "nav" %}' }],
      parts: [{ name: 'nav', html: 'a' }],
    }) as Promise<Record<'pages' | 'parts', { id: string; updated_at: string }[]>>

  test('renames them, with the pages that include a renamed part in the same call', async () => {
    const first = await start()
    const result = await client.call('write_many', {
      pages: [
        {
          slug: 'one',
          new_slug: 'two',
          html: '{% include "menu" %}',
          updated_at: first.pages[0]!.updated_at,
        },
      ],
      parts: [{ name: 'nav', new_name: 'menu' }],
    })
    expect(result.content).toHaveLength(1)
    expect(result.structuredContent).toMatchObject({
      pages: [{ id: first.pages[0]!.id, slug: 'two', kind: 'static' }],
      parts: [{ id: first.parts[0]!.id, name: 'menu' }],
    })
    expect(await written('render_page', { page_id: first.pages[0]!.id })).toMatchObject({ content: 'a' })
  })

  test('writes nothing if one of them is not what the caller has read', async () => {
    const { pages, parts } = await start()
    const old = '2020-01-01T00:00:00.000Z'
    const good = { name: 'nav', html: 'b', updated_at: parts[0]!.updated_at }
    for (const [page, detail] of [
      [{ slug: 'one', updated_at: old }, `The page “one” was changed at ${pages[0]!.updated_at}.`],
      [{ slug: 'one', html: 'x', updated_at: null }, 'The page “one” exists already.'],
      [{ slug: 'gone', html: 'x', updated_at: old }, 'The page “gone” no longer exists.'],
    ] as const)
      expect(await problem('write_many', { parts: [good], pages: [page] })).toMatchObject({
        code: 'version_conflict',
        detail,
      })
    expect(await written('get_part', { part_id: parts[0]!.id })).toMatchObject({ html: 'a' })
    await written('write_many', { parts: [good], pages: [{ slug: 'new', html: 'x', updated_at: null }] })
  })

  test('needs html for new items, and free names for renamed ones', async () => {
    await start()
    expect(await problem('write_many', { pages: [{ slug: 'new' }] })).toMatchObject({
      errors: [{ field: 'pages.0.html', message: 'is required for a new page' }],
    })
    expect(await problem('write_many', { parts: [{ name: 'new' }] })).toMatchObject({
      errors: [{ field: 'parts.0.html', message: 'is required for a new part' }],
    })
    await written('create_page', { slug: 'two', html: 'x' })
    const taken = await problem('write_many', { pages: [{ slug: 'one', new_slug: 'two' }] })
    expect(taken.code).toBe('slug_taken')
  })
})
