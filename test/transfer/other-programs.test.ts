import { crc32 } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { type RawFile, rawZip } from '../support/raw-zip.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { unpack } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'

const service = useTestService()
const mover = useMover(service)
let space: TestSpace
/** The files of an export of the space. */
let files: RawFile[]

beforeAll(async () => {
  space = await mover.space()
  const { api } = space
  await api.post('/pages', { slug: 'home', kind: 'static', html: '<p>\u00fc</p>' })
  await api.post('/parts', { name: 'head', html: '<h1>x</h1>' })
  await api.put('/data/list', { value: ['\u00fc'], description: 'a list' })
  for (const name of ['\u00dcbung.txt', '\u65e5\u672c \ud83c\udf31.txt', 'a?b.txt', '.htaccess', 'photo.png'])
    await api.post('/files', { name, content: name, encoding: 'text' })
  const exported = await unpack(await mover.archive(space.subdomain))
  files = [...exported].map(([name, content]) => ({ name, content }))
})

type Change = (file: RawFile & { name: string }) => RawFile

const each = (change: Change) => () => files.map(file => change({ ...file, name: String(file.name) }))
const file = (name: string, content = 'litter'): RawFile => ({ name, content: Buffer.from(content) })
const folder = (name: string): RawFile => ({ name, content: Buffer.alloc(0) })
const inFolder = (...above: string[]) => each(one => ({ ...one, name: [...above, one.name].join('/') }))()
const decomposed: Change = one => ({ ...one, name: one.name.normalize('NFD') })

/** Writes the letters of a name in the encoding of MS-DOS. */
const inDos = (name: string) => Buffer.from(name.replace('\u00dc', '\x9a'), 'latin1')

/** The field in which some programs repeat a name in UTF-8. */
const unicodeName = (name: string, stored: Buffer): Buffer => {
  const data = Buffer.concat([Buffer.from([0x75, 0x70, 0, 0, 1, 0, 0, 0, 0]), Buffer.from(name)])
  data.writeUInt16LE(data.length - 4, 2)
  data.writeUInt32LE(crc32(stored), 5)
  return data
}

const MARK = Buffer.from('\ufeff')

test.each<[program: string, files: () => RawFile[]]>([
  ['as exported', () => files],
  ['by zip on Linux, which does not say that names are UTF-8', each(one => ({ ...one, flags: 0 }))],
  [
    'from a folder by the Finder, with its own files and decomposed names',
    () => [
      folder('garden/'),
      ...inFolder('garden').map(one => ({ ...decomposed({ ...one, name: String(one.name) }), flags: 0 })),
      file('garden/.DS_Store'),
      file('__MACOSX/._garden'),
      file('__MACOSX/garden/._manifest.json'),
    ],
  ],
  ['by PowerShell 5, with backslashes', each(one => ({ ...one, name: one.name.replaceAll('/', '\\') }))],
  [
    'from a folder by PowerShell 5, with backslashes',
    () => [
      folder('garden\\'),
      ...inFolder('garden').map(one => ({ ...one, name: String(one.name).replaceAll('/', '\\') })),
    ],
  ],
  [
    'by the Explorer, in the encoding of MS-DOS',
    each(one => (/\u00dc/.test(one.name) ? { ...one, name: inDos(one.name), flags: 0 } : one)),
  ],
  [
    'by a program that writes names twice',
    each(one => {
      const stored = Buffer.from(one.name.replaceAll(/[^ -~]/g, '_'))
      return { ...one, name: stored, flags: 0, extra: unicodeName(one.name, stored) }
    }),
  ],
  ['by tar, with a dot as the first folder', () => [folder('./'), ...inFolder('.')]],
  ['from a folder in a folder', () => inFolder('Downloads', 'garden')],
  ['from a folder called data', () => inFolder('data')],
  [
    'on a disk with hidden files, and files that accompany others',
    () => [
      ...files,
      ...files.map(({ name }) => file(String(name).replace(/([^/]+)$/, '._$1'))),
      ...['pages', 'files'].map(name => file(`._${name}`)),
      ...files.flatMap(({ name }) => {
        const [, id] = /^files\/([^/]+)\//.exec(String(name)) ?? []
        return id === undefined ? [] : [file(`files/._${id}`)]
      }),
      file('pages/.home.liquid.swp'),
      file('.git/config'),
      file('files/Thumbs.db'),
      file('pages/desktop.ini'),
    ],
  ],
  [
    'by people who saved the texts with a byte order mark',
    each(one =>
      one.name.startsWith('files/') ? one : { ...one, content: Buffer.concat([MARK, one.content]) },
    ),
  ],
])('an archive changes nothing if it is put together again %s', async (_program, repacked) => {
  const { status, body } = await mover.upload(space.subdomain, rawZip(repacked()), 'delete_missing=1')
  expect({ status, errors: body.errors, changes: body.changes }).toEqual({
    status: 200,
    errors: undefined,
    changes: [],
  })
})

test('an import takes over a hidden file, and a file whose name begins as those of macOS do', async () => {
  const { subdomain } = await mover.space()
  const archive = rawZip([
    file('manifest.json', '{"format":"space-site-space","version":1}'),
    file('files/.htaccess'),
    file('files/._alone'),
  ])
  expect((await mover.upload(subdomain, archive)).body.changes).toEqual([
    { kind: 'file', name: '.htaccess', action: 'add' },
    { kind: 'file', name: '._alone', action: 'add' },
  ])
})

test.each<[what: string, archive: () => Buffer, message: string]>([
  [
    'a file that is not a zip archive',
    () => Buffer.from('Rar!\x1a\x07\x01'),
    'is not a zip archive, has not arrived completely, or is one of several parts',
  ],
  [
    'an archive without its end',
    () => rawZip(files).subarray(0, -30),
    'is not a zip archive, has not arrived completely, or is one of several parts',
  ],
  [
    'a list of entries that is damaged',
    () => Buffer.from(rawZip(files).toString('latin1').replaceAll('PK\x01\x02', 'PK\x01\x03'), 'latin1'),
    'is damaged, or encrypted in a way that also encrypts the names of its files',
  ],
])('the error for %s says what it means', async (_what, archive, message) => {
  const { status, body } = await mover.upload(space.subdomain, archive())
  expect([status, body.errors]).toEqual([422, [{ field: '$', message }]])
})
