import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Finding } from '../../facades/cli/local/finding.ts'
import { starters } from '../../routers/api/rules.ts'
import * as demo from '../../server/demo/site.ts'
import { useComputer } from './support/terminal.ts'

const computer = useComputer()
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-check-'))
  await write('space.json', '{"address": null}')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const write = async (name: string, content: string | Buffer) => {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
  await writeFile(path.join(folder, name), content)
}
const check = (...argv: string[]) => computer.space('', ['check', ...argv], { cwd: folder })

/** Each mistake in a file of its own, and the start of what is said about it. */
const MISTAKES: readonly (readonly [file: string, content: string | Buffer, expected: string])[] = [
  ['pages/open-tag.liquid', 'a\n{% if x %}', '2:1 {% if %} is never closed.'],
  ['pages/unknown-part.liquid', '<p>\n  {% include "nav" %}', '2:3 This space has no part named “nav”.'],
  ['pages/unknown-filter.liquid', '{{ "a" | upcas }}', '1:10 There is no filter “upcas”'],
  ['pages/unknown-record.liquid', '{{ data.stie.title }}', '1:4 There is no data record “stie”.'],
  ['pages/after-space.liquid', '\uFEFF\r\n\r\n  {{ "a" | nope }}', '3:12 There is no filter “nope”'],
  ['pages/lost-link.liquid', 'a\n<a href="/abuot">x</a>', '2:1 The link “/abuot” leads nowhere'],
  [
    'data/menu.json',
    '[\n  { "url": "/fine" },\n  { "url": "/gone" }\n]',
    '3:12 The link “/gone” leads nowhere',
  ],
  ['pages/removed.liquid', '<p>a</p>\n<p onclick="x()">b</p>', '2:1 Removed when shown: onclick of <p>.'],
  ['pages/empty.liquid', ' \n', ' The text is empty.'],
  ['pages/latin.liquid', Buffer.from([0x66, 0xfc, 0x72]), ' The text is not UTF-8.'],
  ['pages/Upper.liquid', 'a', ' "Upper" is no slug'],
  ['parts/used.liquid', 'b\n{{ "a" | rot13 }}', '2:10 There is no filter “rot13”'],
  ['parts/unused.liquid', '{% for %}', '1:1 '],
  ['data/broken.json', '{\n  "title" "x"\n}', '2:11 A colon is missing after the key.'],
  ['data/text.json', '"[1, 2]"', '1:1 The value is a text that contains JSON.'],
  ['data/odd.json', '[{"a": 1},\n {"a": 2},\n {"b": 3}]', '3:2 note: This entry lacks "a"'],
  ['data/twice.json', '{"a": 1,\n "a": 2}', '2:2 note: The key "a" appears more than once'],
  ['files/empty.txt', '', ' The file is empty.'],
  ['files/con', 'a', ' Windows does not allow this name'],
]

/** Files without mistakes. */
const FINE: readonly (readonly [file: string, content: string])[] = [
  ['pages/record-link.liquid', '<a href="{{ data.menu[1].url }}">x</a>'],
  ['pages/fine.liquid', '{% include "used" %}{{ data.broken.title }}'],
]

const MANIFEST = {
  format: 'space-site-space',
  version: 1,
  pages: { removed: { kind: 'static' }, fine: { kind: 'statik' } },
}

describe('space check', () => {
  test('names file, line and column of each mistake, and nothing else', async () => {
    for (const [file, content] of [...MISTAKES, ...FINE]) await write(file, content)
    await write('manifest.json', JSON.stringify(MANIFEST, null, 1))
    const { code, out, err } = await check()
    expect([code, err]).toEqual([1, ''])
    const lines = out.split('\n')
    const about = (file: string) => lines.find(line => line.startsWith(`${file}:`)) ?? null
    expect(MISTAKES.map(([file]) => about(file))).toEqual(
      MISTAKES.map(([file, , expected]) => expect.stringContaining(`${file}:${expected}`)),
    )
    expect(FINE.map(([file]) => about(file))).toEqual(FINE.map(() => null))
    expect(lines).toContain('manifest.json:9:12 The kind of a page is "scripted" or "static".')
  })

  test('prints findings as JSON for programs', async () => {
    await write('pages/index.liquid', 'a\n{{ "a" | upcas }}')
    await write('data/odd.json', '[{"a": 1}, {"a": 2}, {"b": 3}]')
    const { findings } = JSON.parse((await check('--json')).out) as { findings: Finding[] }
    expect(findings).toEqual([
      expect.objectContaining({ file: 'data/odd.json', line: 1, kind: 'note' }),
      expect.objectContaining({ file: 'data/odd.json', line: 1, kind: 'note' }),
      {
        file: 'pages/index.liquid',
        line: 2,
        column: 10,
        message: 'There is no filter “upcas”, so the value is not changed. Did you mean “upcase”?',
        kind: 'problem',
      },
    ])
  })

  test.for(starters)('finds nothing in the starter %s', async starter => {
    await computer.space('', ['init', starter, path.join(folder, 'new')])
    expect(await computer.space('', ['check'], { cwd: path.join(folder, 'new') })).toEqual({
      code: 0,
      out: 'No problems.\n',
      err: '',
    })
  })

  test('finds nothing in the demo', async () => {
    const { pages, parts, data, files } = demo
    const kinds = Object.fromEntries(pages.map(({ slug, kind }) => [slug, { kind }]))
    await write(
      'manifest.json',
      JSON.stringify({ format: 'space-site-space', version: 1, pages: kinds, data: {} }),
    )
    for (const { slug, html } of pages) await write(`pages/${slug}.liquid`, html)
    for (const { name, html } of parts) await write(`parts/${name}.liquid`, html)
    for (const { key, value } of data) await write(`data/${key}.json`, JSON.stringify(value))
    for (const { name, content } of files) await write(`files/${name}`, content)
    expect(await check()).toEqual({ code: 0, out: 'No problems.\n', err: '' })
  })

  test('says where a manifest that is not JSON is wrong, and that a folder is no site', async () => {
    await write('manifest.json', '{\n "format" 1}')
    expect(await check()).toMatchObject({
      code: 1,
      out: 'manifest.json:2:11 A colon is missing after the key.\n1 problem.\n',
    })
    await rm(path.join(folder, 'space.json'))
    expect(await check()).toMatchObject({
      code: 1,
      err: expect.stringContaining('This folder is not a site'),
    })
  })
})
