import { beforeEach, expect, test } from 'vitest'
import { limits, rules } from '../../routers/api/rules.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { type Packed, pack, patched, withNumber } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'
import { contentOf } from './support/content-of.ts'

const service = useTestService()
const mover = useMover(service)
let space: TestSpace
beforeEach(async () => {
  space = await mover.space()
})

const page = (name: string): Packed => ({ path: `pages/${name}.html`, content: 'x' })

const manifestWith = (fields: object): Packed => ({
  path: 'manifest.json',
  content: JSON.stringify({ format: 'space-site-space', version: 1, ...fields }),
})

const refused: [what: string, archive: () => Promise<Buffer>, field: string, message?: string][] = [
  ['a file that is not a zip archive', async () => Buffer.from('PK no zip'), '$'],
  ['an empty body', async () => Buffer.alloc(0), '$'],
  ['a truncated archive', async () => (await pack(page('a'))).subarray(0, -30), '$'],
  [
    'a name that leaves the folder',
    async () => patched(await pack(page('aaaaaa')), 'pages/aaaaaa', '../../../aaaa'.slice(0, 12)),
    '../../../aaa.html',
    'must not contain ..',
  ],
  [
    'an absolute name',
    async () => patched(await pack(page('aaaaaa')), 'pages/aaaaaa', '/ages/aaaaaa'),
    '/ages/aaaaaa.html',
    'must not be an absolute path',
  ],
  [
    'an absolute name of Windows',
    async () => patched(await pack(page('aaaaaa')), 'pages/aaaaaa', 'C:\\es\\aaaaaa'),
    'C:/es/aaaaaa.html',
    'must not be an absolute path',
  ],
  [
    'a name that leaves the folder with backslashes',
    async () => patched(await pack(page('aaaaaa')), 'pages/aaaaaa', 'pages\\..\\..a'),
    'pages/../..a.html',
    'must not contain ..',
  ],
  [
    'the same name twice',
    async () => patched(await pack(page('a'), page('b')), 'pages/b', 'pages/a'),
    'pages/a.html',
  ],
  [
    'names that differ in letter case',
    () => pack({ path: 'files/A.txt', content: 'x' }, { path: 'files/a.txt', content: 'x' }),
    'files/a.txt',
  ],
  ['a link', () => pack({ ...page('a'), options: { mode: 0o120_777 } }), 'pages/a.html'],
  ['an encrypted file', async () => withNumber(await pack(page('a')), 8, 0x801), 'pages/a.html'],
  ['an unknown compression', async () => withNumber(await pack(page('a')), 10, 12), 'pages/a.html'],
  [
    'a file that is longer than its header says',
    async () => withNumber(await pack({ path: 'pages/a.html', content: 'x'.repeat(9000) }), 24, 5),
    'pages/a.html',
  ],
  [
    'a wrong checksum',
    async () =>
      patched(await pack({ ...page('a'), content: 'xyz', options: { compress: false } }), 'xyz', 'xyy'),
    'pages/a.html',
  ],
  [
    'a file that is too large',
    () => pack({ path: 'files/a.bin', content: Buffer.alloc(rules.file.max_bytes + 1) }),
    'files/a.bin',
  ],
  [
    'files whose total size is too large',
    () =>
      pack(
        ...Array.from({ length: 11 }, (_, n) => ({
          path: `files/${n}`,
          content: Buffer.alloc(rules.file.max_bytes),
        })),
      ),
    'files',
  ],
  ['an unknown folder', () => pack({ path: 'posts/a.html', content: 'x' }), 'posts/a.html'],
  ['a wrong slug', () => pack(page('Not a slug')), 'pages/Not a slug.html'],
  ['a reserved slug', () => pack(page('articles')), 'pages/articles.html'],
  ['a page without text', () => pack({ path: 'pages/a.html', content: ' ' }), 'pages/a.html'],
  [
    'text that is not UTF-8',
    () => pack({ path: 'parts/a.html', content: Buffer.from([0xff]) }),
    'parts/a.html',
  ],
  [
    'the same page as .html and as .liquid',
    () => pack(page('a'), { path: 'pages/a.liquid', content: 'x' }),
    'pages/a.liquid',
  ],
  [
    'two files with the same id',
    () =>
      pack(
        { path: 'files/k3v9x2m7q4t8w5z6/a.txt', content: 'x' },
        { path: 'files/k3v9x2m7q4t8w5z6/b.txt', content: 'x' },
      ),
    'files/k3v9x2m7q4t8w5z6/b.txt',
  ],
  ['an icon that is not an image', () => pack({ path: 'icon.png', content: 'x' }), 'icon.png'],
  [
    'an icon that is too large',
    () => pack({ path: 'icon.png', content: Buffer.alloc(limits.iconBytes + 1) }),
    'icon.png',
  ],
  [
    'a space name with a line break',
    () => pack(manifestWith({ space: { subdomain: 'x', name: 'a\nb' } })),
    'manifest.json: space.name',
  ],
  ['an invalid domain', () => pack(manifestWith({ files_domain: '(a+)+' })), 'manifest.json: files_domain'],
  [
    'an invalid date',
    () => pack(manifestWith({ pages: { a: { kind: 'static', created_at: 'yesterday' } } })),
    'manifest.json: pages.a.created_at',
  ],
  ...['created_at', 'updated_at'].map((field): [string, () => Promise<Buffer>, string] => [
    `a page whose ${field} is in year 0`,
    () =>
      pack(manifestWith({ pages: { a: { kind: 'static', [field]: '0000-01-01T00:00:00Z' } } }), page('a')),
    `manifest.json: pages.a.${field}`,
  ]),
  ['data that is not JSON', () => pack({ path: 'data/a.json', content: '{' }), 'data/a.json'],
  [
    'data that is nested too deeply',
    () => pack({ path: 'data/a.json', content: '['.repeat(40) + ']'.repeat(40) }),
    'data/a.json',
  ],
  ['an empty file', () => pack({ path: 'files/a.txt', content: '' }), 'files/a.txt'],
  [
    'a cycle of parts',
    () =>
      pack(
        { path: 'parts/a.html', content: "{% render 'b' %}" },
        { path: 'parts/b.html', content: "{% render 'a' %}" },
      ),
    'parts/a',
  ],
  [
    'another manifest',
    () => pack({ path: 'manifest.json', content: '{"format":"other"}' }),
    'manifest.json: format',
  ],
  [
    'a newer manifest',
    () => pack({ path: 'manifest.json', content: '{"format":"space-site-space","version":2}' }),
    'manifest.json: version',
  ],
]

test.each(refused)('an import refuses %s and writes nothing', async (_what, archive, field, message) => {
  const { status, body } = await mover.upload(space.subdomain, await archive())
  expect([status, body.code]).toEqual([422, 'validation_failed'])
  const error = body.errors!.find(one => one.field === field)
  expect(error).toMatchObject({ field, ...(message && { message }) })
  expect(await contentOf(space)).toEqual({ pages: [], parts: [], data: [], files: [] })
})

test('an import refuses an archive without a manifest', async () => {
  const without = patched(await pack(page('a')), 'manifest.json', 'pages/x.html_')
  expect((await mover.upload(space.subdomain, without)).body.errors).toEqual([
    { field: 'manifest.json', message: 'is missing' },
  ])
})

// A few kilobytes of an archive expand to these texts, and parsing them would block other requests for seconds.
test.each<[what: string, path: string, content: string, message: string]>([
  [
    'a manifest with too many values',
    'manifest.json',
    JSON.stringify({
      format: 'space-site-space',
      version: 1,
      more: Array.from({ length: 100_000 }, () => ({})),
    }),
    'has more than 112700 values',
  ],
  [
    'a manifest that is nested too deeply',
    'manifest.json',
    `{"format":"space-site-space","version":1,"more":${'['.repeat(1_000)}${']'.repeat(1_000)}}`,
    'is nested deeper than 1000 levels',
  ],
  ['data with too many values', 'data/a.json', `[${'1,'.repeat(65_537)}1]`, 'has more than 65536 values'],
])('an import does not parse %s', async (_what, path, content, message) => {
  const { status, body } = await mover.upload(space.subdomain, await pack({ path, content }))
  expect([status, body.errors]).toEqual([422, [{ field: path, message }]])
})

test('an import refuses two file names that differ only in encoding, and reports both names', async () => {
  const archive = await pack(
    { path: 'files/\u00e9.txt', content: 'x' },
    { path: 'files/e\u0301.txt', content: 'x' },
  )
  expect((await mover.upload(space.subdomain, archive)).body.errors).toEqual([
    {
      field: 'files/e\u0301.txt',
      message: 'differs from files/\u00e9.txt only in letter case or in how its characters are encoded',
    },
  ])
})

test('an import accepts a manifest that also describes items which are not in the archive', async () => {
  const names = Array.from({ length: 9_000 }, (_, n) => `p${n}`)
  const date = '2026-01-01T00:00:00.000Z'
  const pages = Object.fromEntries(
    names.map(name => [name, { kind: 'static', created_at: date, updated_at: date }]),
  )
  const archive = await pack(manifestWith({ pages }), page('p0'))
  expect((await mover.upload(space.subdomain, archive)).body.changes).toEqual([
    { kind: 'page', name: 'p0', action: 'add' },
  ])
})
