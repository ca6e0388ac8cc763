import { writeFileSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestFolder } from './support/folder.ts'
import { LocalSpace } from './support/local-space.ts'

let space: LocalSpace
let folder: TestFolder
beforeEach(async () => {
  space = new LocalSpace()
  space.set('pages/index.liquid', 'home')
  folder = await TestFolder.create(space)
  await folder.pull()
})
afterEach(() => folder.remove())

describe('left out of the site', () => {
  test.each([
    '.gitignore',
    'README.md',
    'files/.hidden',
    'files/Thumbs.db',
    'pages/about.liquid~',
    'pages/.about.liquid.swp',
    'pages/#about.liquid#',
    'files/node_modules/left-pad/index.js',
  ])('is %s', async file => {
    await folder.write(file, 'x')
    expect(await folder.status()).toEqual({ differences: [], unsettled: [], problems: [] })
  })

  test.each([
    ['*.psd', 'files/art.psd', 'files/art.png'],
    ['/files/raw-*', 'files/raw-1.png', 'files/a-raw-1.png'],
    ['notes/', 'files/notes/a.txt', 'files/notes.txt'],
    ['files/**/draft?.txt', 'files/draft1.txt', 'files/draft10.txt'],
    ['# art.png\n\nfiles/[x].txt', 'files/[x].txt', 'files/x.txt'],
  ])('is what the line %s of .spaceignore names', async (pattern, ignored, kept) => {
    await folder.write('.spaceignore', `${pattern}\n`)
    await folder.write(ignored, 'x')
    await folder.write(kept, 'x')
    const { differences, problems } = await folder.status()
    expect([differences.map(({ path }) => path), problems]).toEqual([[kept], []])
  })

  test('is no item of the space, whatever its name', async () => {
    space.set('files/.htaccess', 'x')
    space.set('files/logo.theirs.svg', 'x')
    await folder.write('.spaceignore', 'files/*\n')
    await folder.pull()
    expect(await folder.status()).toEqual({ differences: [], unsettled: [], problems: [] })
  })

  test('are symbolic links', async () => {
    await mkdir(path.join(folder.root, 'files'))
    await symlink('/etc/hostname', path.join(folder.root, 'files/hostname'))
    expect((await folder.status()).differences).toEqual([])
  })
})

describe('a push is refused before anything is written, because of', () => {
  test.each([
    ['pages/About Us.liquid', 'x', 'is no slug'],
    ['pages/about.txt', 'x', 'files that end in .liquid'],
    ['pages/blog/one.liquid', 'x', 'without folders'],
    ['data/site.yaml', 'x', 'files that end in .json'],
    ['data/site.json', '{"a": }', 'is not JSON'],
    ['data/site.json', Buffer.from([0x22, 0xff, 0x22]), 'not UTF-8'],
    ['parts/head.liquid', ' \n', 'the text is empty'],
    ['pages/about.liquid', Buffer.from([0xff]), 'not UTF-8'],
    ['files/images/a.png', 'x', 'folder below files'],
    ['files/con.txt', 'x', 'Windows'],
    ['files/what?.txt', 'x', 'Windows'],
    ['files/line\nbreak.txt', 'x', 'Windows'],
    ['files/empty.txt', '', 'the file is empty'],
    ['pages/index.html', 'x', 'as .html and as .liquid'],
  ])('%s', async (file, content, reason) => {
    await folder.write('pages/new.liquid', 'new')
    await folder.write(file, content)
    await expect(folder.push()).rejects.toThrow(reason)
    expect([...space.items.keys()]).toEqual(['pages/index.liquid'])
  })

  test('names that differ only in letter case or Unicode form', async () => {
    await folder.write('files/é.txt', 'x')
    await folder.write('files/É.txt', 'x')
    await expect(folder.push()).rejects.toThrow('letter case or Unicode form')
  })

  test.each([
    ['not JSON', '{', 'manifest.json is not JSON'],
    ['another format', '{}', 'not the manifest of a site'],
    ['another version', '{"format":"space-site-space","version":2}', 'has version 2'],
    ['no settings', '{"format":"space-site-space","version":1,"pages":[]}', '"pages" in manifest.json'],
  ])('a manifest that is %s', async (_, text, reason) => {
    await folder.write('manifest.json', text)
    await expect(folder.push()).rejects.toThrow(reason)
  })
})

describe('names from the space', () => {
  test('that a file system does not take are changed, and stand for the same item afterwards', async () => {
    const names = [`${'ж'.repeat(200)}.png`, 'a:b.txt', 'nul', 'tab\there.txt', 'end.']
    for (const name of names) space.set(`files/${name}`, name)
    const { taken } = await folder.pull()
    expect(taken).toHaveLength(names.length)
    const files = Object.keys(await folder.files()).filter(file => file.startsWith('files/'))
    expect(files.every(file => Buffer.byteLength(path.basename(file)) <= 255)).toBe(true)
    expect((await folder.status()).differences).toEqual([])
    await folder.write('files/a_b.txt', 'changed')
    expect(await folder.push()).toEqual(['changed files/a:b.txt'])
    expect(space.text('files/a:b.txt')).toBe('changed')
  })

  test('that differ from one of the folder only in letter case do not overwrite it', async () => {
    await folder.write('files/Photo.png', 'mine')
    space.set('files/photo.png', 'theirs')
    await folder.pull()
    expect(await folder.files()).toMatchObject({ 'files/Photo.png': 'mine', 'files/photo-2.png': 'theirs' })
  })

  test.each([
    ['files/../../escaped.txt'],
    ['files/..'],
    ['/tmp/escaped.txt'],
    ['pages/../x.liquid'],
    ['.git/hooks/pre-commit'],
    ['space.json'],
    ['pages/x/y.liquid'],
  ])('are only those of items: %s is refused', async name => {
    const before = await folder.files()
    space.items.set(name, { bytes: Buffer.from('x'), settings: {} })
    await expect(folder.pull()).rejects.toThrow('no path in a site')
    expect(await folder.files()).toEqual(before)
  })

  test('in a memory that came with a checkout are only those of items', async () => {
    const memory = JSON.parse((await folder.read('.space/memory.json'))!)
    memory.items['pages/index.liquid'].file = '.git/hooks/pre-commit'
    await folder.write('.space/memory.json', JSON.stringify(memory))
    await expect(folder.pull()).rejects.toThrow('.space/memory.json is damaged')
  })

  test('are not written through a symbolic link', async () => {
    const target = path.join(folder.root, 'elsewhere')
    await mkdir(target)
    await symlink(target, path.join(folder.root, 'files'))
    space.set('files/a.txt', 'x')
    await expect(folder.pull()).rejects.toThrow('files is not a folder')
  })
})

describe('texts', () => {
  test('of pages can be .html files, and stay so', async () => {
    await folder.write('pages/about.html', 'one')
    expect(await folder.push()).toEqual(['added pages/about.liquid'])
    space.set('pages/about.liquid', 'two')
    await folder.pull()
    expect(await folder.read('pages/about.html')).toBe('two')
  })

  test('that an editor saves while a pull runs are kept and merged by the next one', async () => {
    space.set('pages/index.liquid', 'home\nmore')
    folder.before = step => {
      if (step.startsWith('put .space/base'))
        writeFileSync(path.join(folder.root, 'pages/index.liquid'), 'typed')
    }
    await folder.pull()
    folder.before = () => {}
    expect(await folder.read('pages/index.liquid')).toBe('typed')
    expect((await folder.status()).differences).toEqual([
      { path: 'pages/index.liquid', here: 'changed', there: 'changed' },
    ])
  })

  test('of a second file with the name of another get the path of the space', async () => {
    const write = space.write.bind(space)
    space.write = async push => {
      const pushed = await write(push)
      const moved = space.items.get('files/a.png')!
      space.items.delete('files/a.png')
      space.items.set('files/k3v9x2m7q4t8w5z6/a.png', moved)
      return { ...pushed, items: (await space.list()).items.filter(({ path }) => path.endsWith('/a.png')) }
    }
    await folder.write('files/a.png', 'x')
    await folder.push()
    expect(await folder.files()).toMatchObject({ 'files/k3v9x2m7q4t8w5z6/a.png': 'x' })
    expect((await folder.status()).differences).toEqual([])
  })
})

test('two commands do not run in one folder at once', async () => {
  await folder.write('.space/lock', '1')
  await expect(folder.pull()).rejects.toThrow('Another space command (process 1) is running')
  await folder.write('.space/lock', '999999999')
  await folder.pull()
})
