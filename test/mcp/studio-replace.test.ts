import { beforeEach, describe, expect, test } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { type ToolClient, toolClient } from './support/tool-client.ts'

const service = useTestService()
let space: TestSpace
let client: ToolClient

beforeEach(async () => {
  space = await service.createSpace()
  client = toolClient(service, '/mcp/studio', await space.key(...SPACE_SCOPES), '2026-07-28')
})

const written = async (args: Record<string, unknown>, name = 'write_many') => {
  const { isError, content, structuredContent } = await client.call(name, args)
  expect({ isError, content }).toMatchObject({ isError: undefined })
  return structuredContent!
}
const problem = async (args: Record<string, unknown>) => {
  const { isError, content } = await client.call('write_many', args)
  expect(isError).toBe(true)
  return JSON.parse(content[0]!.text) as { code: string; errors?: { field: string; message: string }[] }
}

/** The bodies of all pages and parts and the values of all records, by slug, name and key. */
const stored = async (): Promise<Record<string, unknown>> => {
  const list = async (tool: string) => (await written({}, tool)).data as Record<string, string>[]
  const all: Record<string, unknown> = {}
  for (const { id, slug } of await list('list_pages'))
    all[slug!] = (await written({ page_id: id }, 'get_page')).html
  for (const { id, name } of await list('list_parts'))
    all[name!] = (await written({ part_id: id }, 'get_part')).html
  for (const { key } of await list('list_data')) all[key!] = (await written({ key }, 'get_data')).value
  return all
}

describe('write_many with a text to replace', () => {
  const content = {
    pages: [
      { slug: 'one', html: 'Tea and tea and Tea' },
      { slug: 'two', html: 'none' },
    ],
    parts: [{ name: 'card', html: '<b>Tea</b>' }],
    records: [
      { key: 'menu', value: { Tea: ['Tea "house"', 'a\nTea', 4] }, description: 'Tea' },
      { key: 'other', value: ['tea'] },
    ],
  }

  beforeEach(() => written(content))

  test('replaces it in all pages, parts and strings of records, and counts the matches', async () => {
    const replace = { old: 'Tea', new: 'C"$&' }
    const { replaced } = await written({ replace })
    expect(replaced).toEqual([
      { kind: 'page', name: 'one', count: 2 },
      { kind: 'part', name: 'card', count: 1 },
      { kind: 'record', name: 'menu', count: 2 },
    ])
    expect(await stored()).toEqual({
      one: 'C"$& and tea and C"$&',
      two: 'none',
      card: '<b>C"$&</b>',
      menu: { Tea: ['C"$& "house"', 'a\nC"$&', 4] },
      other: ['tea'],
    })
    expect(await written({ key: 'menu' }, 'get_data')).toMatchObject({ version: 2, description: 'Tea' })
    expect(await written({ key: 'other' }, 'get_data')).toMatchObject({ version: 1 })
  })

  test('replaces it also in the items of the call, whether they have a new body or keep their own', async () => {
    const result = await written({
      pages: [
        { slug: 'one', new_slug: 'first' },
        { slug: 'three', html: '{% include "menu-card" %} Tea' },
      ],
      parts: [{ name: 'card', new_name: 'menu-card', html: 'A Tea' }],
      records: [{ key: 'menu', value: 'Tea' }],
      replace: { old: 'Tea', new: 'Coffee' },
    })
    expect(result).toMatchObject({
      pages: [{ slug: 'first' }, { slug: 'three' }],
      parts: [{ name: 'menu-card' }],
      records: [{ key: 'menu', version: 2 }],
    })
    expect(await stored()).toEqual({
      first: 'Coffee and tea and Coffee',
      two: 'none',
      three: '{% include "menu-card" %} Coffee',
      'menu-card': 'A Coffee',
      menu: 'Coffee',
      other: ['tea'],
    })
  })

  test('keeps track of the parts that a body includes', async () => {
    await written({ pages: [{ slug: 'four', html: '{% include "card" %}' }] })
    await written({ parts: [{ name: 'card', new_name: 'box' }], replace: { old: '"card"', new: '"box"' } })
    const parts = (await written({}, 'list_parts')).data as { id: string }[]
    expect(await written({ part_id: parts[0]!.id }, 'get_part')).toMatchObject({
      name: 'box',
      used_by: { pages: [{ slug: 'four' }] },
    })
  })

  test('replaces only what the key can write', async () => {
    client = toolClient(service, '/mcp/studio', await space.key('data'), '2026-07-28')
    const { replaced } = await written({ replace: { old: 'Tea', new: 'Soup' } })
    expect(replaced).toEqual([{ kind: 'record', name: 'menu', count: 2 }])
  })

  test('writes nothing in a dry run, but returns what it would write', async () => {
    const before = await stored()
    const args = {
      pages: [{ slug: 'new', html: 'Tea' }],
      replace: { old: 'Tea', new: 'Soup' },
      dry_run: true,
    }
    const result = await client.call('write_many', args)
    expect(result.content).toHaveLength(1)
    expect(result.structuredContent).toMatchObject({
      is_written: false,
      pages: [{ slug: 'new' }],
      replaced: [
        { name: 'new', count: 1 },
        { name: 'one', count: 2 },
        { name: 'card', count: 1 },
        { name: 'menu', count: 2 },
      ],
    })
    expect(await stored()).toEqual(before)
    expect(await written({ ...args, dry_run: false })).toMatchObject({ is_written: true })
    expect(await stored()).toMatchObject({ new: 'Soup', card: '<b>Soup</b>' })
  })

  test.each([
    ['an empty text', { old: '', new: 'x' }, 'replace.old', 'must not be empty'],
    ['the same text', { old: 'x', new: 'x' }, 'replace.new', 'must differ from old'],
    [
      'a text that leaves an empty body',
      { old: 'none', new: '' },
      'replace.new',
      'must leave a valid body: the html of the page “two” must be 1 to 262144 characters long',
    ],
    [
      'a text that leaves a value which is too long',
      { old: 'Tea "house"', new: 'x'.repeat(66_000) },
      'replace.new',
      'must leave a valid value: the record “menu” must be at most 65536 bytes as compact JSON, but is 66023',
    ],
    [
      'a text that completes a cycle of parts',
      { old: '<b>Tea</b>', new: '{% include "card" %}' },
      'replace.new',
      'must not create a cycle of includes: card → card',
    ],
  ])('is refused for %s, and writes nothing', async (_what, replace, field, message) => {
    const before = await stored()
    expect(await problem({ pages: [{ slug: 'new', html: 'x' }], replace })).toMatchObject({
      code: 'validation_failed',
      errors: [{ field, message }],
    })
    expect(await stored()).toEqual(before)
  })
})

describe('write_many with refuse_broken', () => {
  beforeEach(() =>
    written({
      parts: [
        { name: 'nav', html: '<nav></nav>' },
        { name: 'frame', html: '{% include "nav" %}' },
      ],
      records: [{ key: 'card', value: { part: 'nav' } }],
      pages: [
        { slug: 'one', html: 'a\n{% include "frame" %}' },
        { slug: 'broken', html: '{% include "nav" %}{% if %}' },
        { slug: 'dynamic', html: '{% include data.card.part %}' },
      ],
    }),
  )

  test.each([
    [
      'a part that breaks pages through another one',
      { parts: [{ name: 'nav', html: 'a\n{% endfor %}' }] },
      [/^would break the page “one”: part “nav”, line 2, column 1: /],
    ],
    [
      'a part that is renamed',
      { parts: [{ name: 'nav', new_name: 'menu' }] },
      [/^would break the page “one”: part “frame”, line 1, column 1: /],
    ],
    [
      'a record that pages use',
      { records: [{ key: 'card', value: { part: 'mars' } }] },
      [/^would break the page “dynamic”: line 1/],
    ],
    [
      'a page',
      { pages: [{ slug: 'new', html: 'a\nb{% endif %}' }] },
      [/^would break the page “new”: line 2, column 2/],
    ],
    [
      'a replacement',
      { replace: { old: '"frame"', new: '"farme"' } },
      [/^would break the page “one”: line 2, column 1/],
    ],
  ])('refuses %s, with the errors, and writes nothing', async (_what, args, messages) => {
    const before = await stored()
    const found = await problem({ ...args, refuse_broken: true })
    expect(found.errors!.map(({ message }) => message).sort()).toEqual(
      messages.map(message => expect.stringMatching(message)),
    )
    expect(found.errors!.every(({ field }) => field === 'refuse_broken')).toBe(true)
    expect(await stored()).toEqual(before)
    await written(args)
  })

  test('judges all items together, and accepts pages that are broken already', async () => {
    await written({
      pages: [{ slug: 'two', html: '{% include "other" %}' }],
      parts: [
        { name: 'nav', new_name: 'menu', html: 'm' },
        { name: 'other', html: '{{ data.card.part }}' },
        { name: 'frame', html: '{% include "menu" %}' },
      ],
      records: [{ key: 'card', value: { part: 'menu' } }],
      refuse_broken: true,
    })
    expect(await stored()).toMatchObject({ menu: 'm', card: { part: 'menu' } })
  })
})
