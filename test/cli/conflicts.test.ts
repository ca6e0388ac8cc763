import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestFolder } from './support/folder.ts'
import { LocalSpace } from './support/local-space.ts'

const PAGE = 'pages/about.liquid'
const THEIRS = 'pages/about.theirs.liquid'

let space: LocalSpace
let folder: TestFolder
beforeEach(async () => {
  space = new LocalSpace()
  space.set(PAGE, 'one\ntwo\nthree')
  folder = await TestFolder.create(space)
  await folder.pull()
})
afterEach(() => folder.remove())

/** Text null is a deletion, undefined no change. */
const apply = async (here: string | null | undefined, there: string | null | undefined) => {
  if (there !== undefined) space.set(PAGE, there)
  if (here === null) await folder.delete(PAGE)
  else if (here !== undefined) await folder.write(PAGE, here)
}

describe('a pull of a page', () => {
  const SAME = 'one\ntwo\nthree'
  test.each([
    ['nobody changed', undefined, undefined, `${SAME}\n`, null, null],
    ['the space changed', undefined, 'one\nTWO\nthree', 'one\nTWO\nthree\n', null, null],
    ['the folder changed', 'one\nTWO\nthree', undefined, 'one\nTWO\nthree', null, null],
    ['the space deleted', undefined, null, null, null, null],
    ['the folder deleted', null, undefined, null, null, null],
    ['both deleted', null, null, null, null, null],
    ['both changed equally', 'one\nTWO\nthree', 'one\nTWO\nthree', 'one\nTWO\nthree', null, null],
    ['both changed at different places', 'ONE\ntwo\nthree', 'one\ntwo\nTHREE', 'ONE\ntwo\nTHREE', null, null],
    [
      'both changed at one place',
      'one\nmine\nthree',
      'one\ntheirs\nthree',
      'one\nmine\nthree',
      'one\ntheirs\nthree\n',
      'conflict',
    ],
    ['the folder deleted and the space changed', null, 'one\ntheirs', null, 'one\ntheirs\n', 'conflict'],
    ['the folder changed and the space deleted', 'mine', null, 'mine', '', 'conflict'],
  ])('that %s', async (_, here, there, file, theirs, conflict) => {
    await apply(here, there)
    const pulled = await folder.pull()
    expect([await folder.read(PAGE), await folder.read(THEIRS)]).toEqual([file, theirs])
    expect(pulled.conflicts).toEqual(conflict ? [{ path: PAGE, theirs: THEIRS }] : [])
    // A second pull finds nothing more to do.
    expect(await folder.pull()).toMatchObject({ taken: [], merged: [], deleted: [], conflicts: [] })
  })
})

describe('a conflict', () => {
  test('is listed, and nothing is pushed until its .theirs file is gone', async () => {
    await apply('mine', 'theirs')
    await expect(folder.push()).rejects.toThrow('space has changed since your last pull: pages/about.liquid')
    await folder.pull()
    expect((await folder.status()).unsettled).toEqual([{ path: PAGE, files: [THEIRS] }])
    await expect(folder.push()).rejects.toThrow(`then delete ${THEIRS}`)
    await folder.write('pages/new.liquid', 'new')
    await expect(folder.push()).rejects.toThrow('not settled')
    await folder.write(PAGE, 'mine and theirs')
    await folder.delete(THEIRS)
    expect(await folder.push()).toEqual(['changed pages/about.liquid', 'added pages/new.liquid'])
    expect(space.text(PAGE)).toBe('mine and theirs')
  })

  test('that the space changes again keeps both files, and is merged after it is settled', async () => {
    await apply('mine\ntwo\nthree', 'theirs\ntwo\nthree')
    await folder.pull()
    space.set(PAGE, 'theirs\ntwo\nTHREE')
    expect((await folder.pull()).left).toEqual([
      { path: PAGE, message: 'its earlier conflict is not settled' },
    ])
    expect(await folder.read(THEIRS)).toBe('theirs\ntwo\nthree\n')
    await folder.delete(THEIRS)
    await folder.pull()
    expect(await folder.read(PAGE)).toBe('mine\ntwo\nTHREE')
  })

  test.each([
    ['deleted here and changed there', null, 'theirs', 'deleted'],
    ['changed here and deleted there', 'mine', null, 'added'],
  ])('of an item %s ends with what the folder has', async (_, here, there, change) => {
    await apply(here, there)
    await folder.pull()
    await folder.delete(THEIRS)
    expect(await folder.push()).toEqual([`${change} ${PAGE}`])
    expect(space.text(PAGE) ?? null).toBe(here)
  })

  test('about a setting keeps the one of the folder; settings that only one side changed are merged', async () => {
    const manifest = async () => JSON.parse((await folder.read('manifest.json'))!)
    space.set(PAGE, 'one\ntwo\nthree', { kind: 'static', title: 'About' })
    await folder.pull()
    const edited = await manifest()
    edited.pages.about.title = 'Mine'
    await folder.write('manifest.json', JSON.stringify(edited))
    space.set(PAGE, 'one\ntwo\nthree', { kind: 'scripted' })
    await folder.pull()
    expect((await manifest()).pages.about).toEqual({ kind: 'scripted', title: 'Mine' })
    space.set(PAGE, 'one\ntwo\nthree', { title: 'Theirs' })
    expect((await folder.pull()).conflicts).toHaveLength(1)
    expect((await manifest()).pages.about.title).toBe('Mine')
    await folder.delete(THEIRS)
    await folder.push()
    expect(space.items.get(PAGE)?.settings).toEqual({ kind: 'scripted', title: 'Mine' })
  })
})

describe('in a fresh checkout, which remembers nothing', () => {
  beforeEach(() => folder.delete('.space/memory.json'))

  test('equal content is taken as it is, and different content is a conflict', async () => {
    expect(await folder.pull()).toMatchObject({ taken: [], merged: [], conflicts: [] })
    expect(await folder.push()).toEqual([])
    await folder.delete('.space/memory.json')
    await folder.write(PAGE, 'mine')
    expect((await folder.pull()).conflicts).toHaveLength(1)
  })
})

describe('what is no change', () => {
  test.each([
    ['Windows line ends', PAGE, 'one\r\ntwo\r\nthree\r\n'],
    ['a byte order mark', PAGE, '\uFEFFone\ntwo\nthree'],
    ['a line break at the end', PAGE, 'one\ntwo\nthree\n'],
    ['another format of a record', 'data/site.json', '{"title":"Garden",\r\n\t"tags": [1, 2]}\r\n'],
  ])('%s', async (_, path, text) => {
    space.set('data/site.json', '{"title":"Garden","tags":[1,2]}')
    await folder.pull()
    await folder.write(path, text)
    expect((await folder.status()).differences).toEqual([])
    space.set('data/site.json', '{"title":"Garden","tags":[1,2],"new":true}')
    space.set(PAGE, 'one\ntwo\nthree\nfour')
    expect((await folder.pull()).conflicts).toEqual([])
    const after = (await folder.read(path))!
    expect([after.includes('\r\n'), after.startsWith('\uFEFF'), after.endsWith('\n')]).toEqual([
      text.includes('\r\n'),
      text.startsWith('\uFEFF'),
      text.endsWith('\n'),
    ])
  })
})

describe('records', () => {
  test('are formatted with two spaces, and keep numbers that JavaScript cannot', async () => {
    space.set('data/site.json', '{"title":"Garden","tags":[]}')
    space.items.set('data/large.json', {
      bytes: Buffer.from('[12345678901234567890]'),
      settings: { description: null },
    })
    await folder.pull()
    expect(await folder.read('data/site.json')).toBe('{\n  "title": "Garden",\n  "tags": []\n}\n')
    expect(await folder.read('data/large.json')).toBe('[12345678901234567890]\n')
  })

  test('are merged as text', async () => {
    space.set('data/site.json', '{"a":1,"b":2,"c":3}')
    await folder.pull()
    await folder.write('data/site.json', '{\n  "a": 10,\n  "b": 2,\n  "c": 3\n}')
    space.set('data/site.json', '{"a":1,"b":2,"c":30}')
    await folder.pull()
    expect(JSON.parse((await folder.read('data/site.json'))!)).toEqual({ a: 10, b: 2, c: 30 })
  })

  test('their descriptions are in the manifest', async () => {
    space.set('data/site.json', '{}', { description: 'Texts' })
    await folder.pull()
    const manifest = JSON.parse((await folder.read('manifest.json'))!)
    expect(manifest).toEqual({
      format: 'space-site-space',
      version: 1,
      pages: { about: { kind: 'scripted' } },
      data: { site: { description: 'Texts' } },
      files: {},
      files_domain: 'files.example',
    })
    manifest.data.site.description = 'Other texts'
    await folder.write('manifest.json', JSON.stringify(manifest))
    expect(await folder.push()).toEqual(['changed data/site.json'])
    expect(space.items.get('data/site.json')?.settings).toEqual({ description: 'Other texts' })
  })
})
