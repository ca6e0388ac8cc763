import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ProblemBody } from '../../routers/api/problem.ts'
import { SPACE_SCOPES, type SpaceScope } from '../../routers/api/scopes.ts'
import { testPng } from '../support/png.ts'
import { requestHost } from '../support/request-host.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { pack } from './support/archives.ts'
import { signInMover } from './support/browser-session.ts'
import { contentOf } from './support/content-of.ts'
import { type Bases, type Contents, folderOf, pathsOf } from './support/folder.ts'

const service = useTestService()
let space: TestSpace
let folder: ReturnType<typeof folderOf>
beforeEach(async () => {
  space = await service.createSpace()
  folder = folderOf(service, space.subdomain, await space.key(...SPACE_SCOPES))
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const put = (contents: Contents) =>
  folder.change(contents, Object.fromEntries(Object.keys(contents).map(path => [path, null])))

describe('the listing', () => {
  test('names each item with its path, digest and settings', async () => {
    const { api } = space
    await api.post('/pages', { slug: 'about', kind: 'scripted', html: 'é' })
    await api.post('/parts', { name: 'layout', html: 'part' })
    await api.put('/data/site', { value: { a: 1 }, description: 'The site' })
    await api.post('/files', { name: 'a.txt', content: 'file', encoding: 'text' })
    const { items, ...rest } = await folder.list()
    expect(rest).toMatchObject({ subdomain: space.subdomain, name: `The ${space.subdomain}`, icon: null })
    expect(items.map(({ version: _, ...item }) => item)).toEqual([
      { path: 'pages/about.liquid', digest: sha256('é'), settings: { kind: 'scripted' } },
      { path: 'parts/layout.liquid', digest: sha256('part'), settings: {} },
      { path: 'data/site.json', digest: sha256('{"a":1}'), settings: { description: 'The site' } },
      { path: 'files/a.txt', digest: sha256('file'), settings: {}, size: 4 },
    ])
  })

  test('gives files that share a name their ids, and says which names it had to change', async () => {
    const { api } = space
    const ids = []
    for (const name of ['A.txt', 'a.txt', 'b?.txt']) {
      const { body } = await api.post<{ id: string }>('/files', { name, content: name, encoding: 'text' })
      ids.push(body.id)
    }
    const { items } = await folder.list()
    expect(items.map(({ path, settings }) => [path, settings])).toEqual([
      [`files/${ids[0]}/A.txt`, {}],
      [`files/${ids[1]}/a.txt`, {}],
      ['files/b_.txt', { name: 'b?.txt' }],
    ])
  })

  test('is not sent again until the space changes', async () => {
    const etag = (await folder.send('GET')).headers.get('etag')!
    const again = await folder.send('GET', undefined, { 'if-none-match': etag })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    await space.api.put('/data/a', { value: 1 })
    expect((await folder.send('GET', undefined, { 'if-none-match': etag })).status).toBe(200)
  })

  test.each([
    ['the content of a page', 'pages/p.liquid', () => space.api.patch(`/pages/${ids.page}`, { html: 'new' })],
    ['the kind of a page', 'pages/p.liquid', () => space.api.patch(`/pages/${ids.page}`, { kind: 'static' })],
    ['a part', 'parts/q.liquid', () => space.api.patch(`/parts/${ids.part}`, { html: 'new' })],
    ['a value', 'data/k.json', () => space.api.put('/data/k', { value: 2 })],
    ['a description', 'data/k.json', () => space.api.put('/data/k', { value: 1, description: 'new' })],
    ['the bytes of a file', 'files/f.txt', () => replaceFile('new')],
  ] as const)('has another version after a change of %s, and only there', async (_, path, change) => {
    await fill()
    const before = await folder.versions()
    expect((await change()).status).toBeLessThan(300)
    const after = await folder.versions()
    expect(Object.keys(after).filter(path => after[path] !== before[path])).toEqual([
      expect.stringContaining(path),
    ])
  })
})

const ids = { page: '', part: '', file: '' }
const replaceFile = (content: string) => space.api.patch(`/files/${ids.file}`, { content, encoding: 'text' })
const fill = async () => {
  const { api } = space
  ids.page = (await api.post<{ id: string }>('/pages', { slug: 'p', html: 'page' })).body.id
  ids.part = (await api.post<{ id: string }>('/parts', { name: 'q', html: 'part' })).body.id
  await api.put('/data/k', { value: 1 })
  ids.file = (
    await api.post<{ id: string }>('/files', { name: 'f.txt', content: 'file', encoding: 'text' })
  ).body.id
}

test('contents arrive as they are, without the paths that are gone', async () => {
  await fill()
  expect(await folder.read('pages/p.liquid', 'parts/q.liquid', 'files/f.txt', 'pages/gone.liquid')).toEqual({
    'pages/p.liquid': 'page',
    'parts/q.liquid': 'part',
    'files/f.txt': 'file',
  })
  expect(await folder.read('data/k.json')).toEqual({ 'data/k.json': '1' })
})

describe('a change', () => {
  test('adds, changes and deletes as one change, and answers with what the next listing says', async () => {
    await fill()
    const bases = await folder.versions()
    const contents = {
      'pages/p.liquid': 'changed',
      'pages/new.liquid': 'new',
      'parts/q.liquid': null,
      'data/k.json': '{ "a": 2 }',
      'files/new.txt': 'added',
    }
    const named = Object.fromEntries(Object.keys(contents).map(path => [path, bases[path] ?? null]))
    const { status, body } = await folder.change(contents, named, {
      pages: { p: { kind: 'scripted' } },
      data: { k: { description: 'why' } },
    })
    expect(status).toBe(200)
    const { items } = await folder.list()
    const written = new Set(Object.keys(contents).filter(path => path !== 'parts/q.liquid'))
    expect(body.items).toEqual(items.filter(({ path }) => written.has(path)))
    expect(await contentOf(space)).toMatchObject({
      pages: [
        { slug: 'new', kind: 'scripted', html: 'new' },
        { slug: 'p', kind: 'scripted', html: 'changed' },
      ],
      parts: [],
      data: [{ key: 'k', value: { a: 2 }, description: 'why' }],
      files: [{ name: 'new.txt' }, { name: 'f.txt' }],
    })
    const { changes } = await space.owner.history.list({ subdomain: space.subdomain })
    expect(new Set(changes.slice(0, 5).map(({ operation }) => operation))).toEqual(new Set([body.operation]))
  })

  test('writes nothing if everything is already so', async () => {
    await fill()
    const before = await folder.list()
    const { body } = await folder.change(
      { 'pages/p.liquid': 'page' },
      { 'pages/p.liquid': before.items[0]!.version },
    )
    expect(body).toEqual({ operation: null, items: [before.items[0]] })
    expect(await folder.list()).toEqual(before)
  })

  test.each([
    [
      'changed',
      () => space.api.patch(`/pages/${ids.page}`, { html: 'theirs' }),
      'pages/p.liquid',
      'has changed',
    ],
    ['deleted', () => space.api.delete(`/pages/${ids.page}`), 'pages/p.liquid', 'was deleted'],
    [
      'added',
      () => space.api.post('/pages', { slug: 'n', html: 'theirs' }),
      'pages/n.liquid',
      'already exists',
    ],
    [
      'given settings',
      () => space.api.put('/data/k', { value: 1, description: 'd' }),
      'data/k.json',
      'has changed',
    ],
    [
      'replaced by a file with the same bytes',
      async () => {
        await space.api.delete(`/files/${ids.file}`)
        return space.api.post('/files', { name: 'f.txt', content: 'file', encoding: 'text' })
      },
      'files/f.txt',
      'has changed',
    ],
  ] as const)('is refused as a whole if an item was %s meanwhile', async (_, theirs, field, message) => {
    await fill()
    const bases: Bases = { 'pages/n.liquid': null, ...(await folder.versions()) }
    expect((await theirs()).status).toBeLessThan(300)
    const before = await contentOf(space)
    const contents = {
      'pages/p.liquid': 'mine',
      'pages/n.liquid': 'mine',
      'data/k.json': '2',
      'files/f.txt': 'mine',
    }
    const { status, body } = await folder.change(
      contents,
      Object.fromEntries(Object.keys(contents).map(path => [path, bases[path]!])),
    )
    expect([status, body.code, body.errors]).toEqual([409, 'space_changed', [{ field, message }]])
    expect(await contentOf(space)).toEqual(before)
  })

  test('ten at once based on the same version: one is written', async () => {
    await put({ 'pages/p.liquid': 'first' })
    const bases = await folder.versions()
    // One key has one archive in work at a time, so each caller has an account of its own.
    const folders = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const guest = await space.join()
        const { secret } = await guest.keys.issue({
          subdomain: space.subdomain,
          label: 'k',
          scopes: ['pages'],
        })
        return folderOf(service, space.subdomain, secret)
      }),
    )
    const answers = await Promise.all(
      folders.map((one, index) => one.change({ 'pages/p.liquid': `${index}` }, bases)),
    )
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([
      200,
      ...Array<number>(9).fill(409),
    ])
  })

  test('an item that moves to another path keeps its id', async () => {
    await fill()
    const bases = await folder.versions()
    const contents = {
      'pages/p.liquid': null,
      'pages/moved.liquid': 'page',
      'parts/q.liquid': null,
      'parts/moved.liquid': 'part',
      'files/f.txt': null,
      'files/moved.txt': 'file',
    }
    const named = Object.fromEntries(Object.keys(contents).map(path => [path, bases[path] ?? null]))
    expect((await folder.change(contents, named)).status).toBe(200)
    const idsIn = async (path: string) =>
      (await space.api.get<{ data: { id: string }[] }>(path)).body.data.map(({ id }) => id)
    expect([await idsIn('/pages'), await idsIn('/parts'), await idsIn('/files')]).toEqual([
      [ids.page],
      [ids.part],
      [ids.file],
    ])
    expect(pathsOf((await folder.list()).items)).toEqual([
      'pages/moved.liquid',
      'parts/moved.liquid',
      'data/k.json',
      'files/moved.txt',
    ])
  })

  test('a new file never replaces another of its name', async () => {
    const { api } = space
    for (const name of ['A.txt', 'a.txt']) await api.post('/files', { name, content: name, encoding: 'text' })
    const { body } = await put({ 'files/a.txt': 'mine' })
    expect(body.items!.map(({ path }) => path)).toEqual([
      expect.stringMatching(/^files\/[2-9a-z]{16}\/a\.txt$/),
    ])
    const { items } = await folder.list()
    expect(Object.values(await folder.read(...pathsOf(items))).sort()).toEqual(['A.txt', 'a.txt', 'mine'])
  })

  test.each<[string, Contents, Bases, string, string]>([
    ['names no path', {}, {}, 'manifest.json: changes', 'must name at least one path'],
    [
      'has an entry that it does not name',
      { 'pages/a.liquid': 'a' },
      { 'pages/b.liquid': null },
      'pages/a.liquid',
      'must also be in "changes" of manifest.json',
    ],
    [
      'names what is no item',
      {},
      { 'about.txt': 'x' },
      'about.txt',
      'is not the path of a page, part, record or file',
    ],
    [
      'breaks a rule',
      { 'pages/A.liquid': 'a' },
      { 'pages/A.liquid': null },
      'pages/A.liquid',
      'slug must be 1 to 60 lowercase letters, digits and hyphens, with no hyphen at either end',
    ],
  ])('is refused if it %s', async (_, contents, bases, field, message) => {
    const { status, body } = await folder.change(contents, bases)
    expect([status, body.code, body.errors]).toEqual([422, 'validation_failed', [{ field, message }]])
  })

  test('deletes at the limit of a space before it adds', async () => {
    await put({ 'parts/a.liquid': '{% render "b" %}', 'parts/b.liquid': 'x' })
    const bases = await folder.versions()
    const { status } = await folder.change(
      { 'parts/a.liquid': null, 'parts/b.liquid': '{% render "c" %}', 'parts/c.liquid': 'y' },
      { ...bases, 'parts/c.liquid': null },
    )
    expect(status).toBe(200)
  })
})

describe('the icon of a space', () => {
  const png = async (background: string) =>
    Buffer.from(await testPng({ width: 256, height: 256, background }), 'base64')
  const iconVersion = async () => (await folder.list()).icon?.version ?? null

  test('is listed apart from the items, and is written, replaced and deleted with them', async () => {
    const red = await png('#ff0000')
    const { status, body } = await folder.change(
      { 'icon.png': red, 'pages/p.liquid': 'page' },
      { 'icon.png': null, 'pages/p.liquid': null },
    )
    expect(status).toBe(200)
    const listing = await folder.list()
    expect(pathsOf(listing.items)).toEqual(['pages/p.liquid'])
    expect(body.items).toEqual([...listing.items, listing.icon])
    const { icon } = listing
    expect(icon).toMatchObject({ path: 'icon.png', settings: {} })
    const stored = await folder.read('icon.png')
    expect(Object.keys(stored)).toEqual(['icon.png'])
    const { icon_url } = await space.owner.space.get({ subdomain: space.subdomain })
    const served = await requestHost(service, 'localhost', new URL(icon_url!).pathname)
    expect(createHash('sha256').update(served.bytes).digest('hex')).toBe(icon!.digest)

    const bases = { 'icon.png': icon!.version }
    expect((await folder.change({ 'icon.png': await png('#0000ff') }, bases)).status).toBe(200)
    expect(await iconVersion()).not.toBe(icon!.version)
    const late = await folder.change({ 'icon.png': null }, bases)
    expect([late.status, late.body.errors]).toEqual([409, [{ field: 'icon.png', message: 'has changed' }]])
    const deleted = await folder.change({ 'icon.png': null }, { 'icon.png': await iconVersion() })
    expect([deleted.status, deleted.body.items]).toEqual([200, []])
    expect(await iconVersion()).toBeNull()
    await space.owner.history.undo({ subdomain: space.subdomain, operation: deleted.body.operation! })
    expect(await iconVersion()).not.toBeNull()
  })

  test('stays as it is when the same picture is written, and when others change', async () => {
    await folder.change({ 'icon.png': await png('#ff0000') }, { 'icon.png': null })
    const before = (await folder.list()).icon
    const { body } = await folder.change(
      { 'icon.png': await png('#ff0000') },
      { 'icon.png': before!.version },
    )
    expect(body).toEqual({ operation: null, items: [before] })
    await put({ 'pages/p.liquid': 'page' })
    expect((await folder.list()).icon).toEqual(before)
  })

  test('is refused if it is no PNG of the right size, and nothing else is written then', async () => {
    const small = Buffer.from(await testPng({ width: 16, height: 16 }), 'base64')
    const { status, body } = await put({ 'icon.png': small, 'pages/p.liquid': 'page' })
    expect([status, body.errors]).toEqual([
      422,
      [{ field: 'icon.png', message: 'must be exactly 256 by 256 pixels, but is 16 by 16' }],
    ])
    expect((await folder.list()).items).toEqual([])
  })

  test('is not for editors to change', async () => {
    const mover = await signInMover(service)
    const target = await mover.space()
    const { subdomain } = target
    const other = await target.join()
    const [self] = await target.owner.participants.list({ subdomain })
    await other.participants.setRole({ subdomain, participant_id: self!.id, role: 'editor' })
    const archive = await pack(
      { path: 'icon.png', content: await png('#ff0000') },
      { path: 'pages/p.liquid', content: 'page' },
      {
        path: 'manifest.json',
        content: JSON.stringify({
          format: 'space-site-space',
          version: 1,
          changes: { 'icon.png': null, 'pages/p.liquid': null },
        }),
      },
    )
    const { cookie } = mover
    const response = await folderOf(service, subdomain).send('PATCH', archive, { cookie })
    expect([response.status, ((await response.json()) as ProblemBody).code]).toEqual([403, 'owners_only'])
    expect((await other.pages.list({ subdomain })).data).toEqual([])
  })

  test.each(['pages', 'data', 'files_write'] as const)('needs the scope %s, too', async scope => {
    const others = SPACE_SCOPES.filter(one => one !== scope)
    const without = folderOf(service, space.subdomain, await space.key(...others))
    const { status, body } = await without.change({ 'icon.png': await png('#ff0000') }, { 'icon.png': null })
    expect([status, body.code]).toEqual([403, 'insufficient_scope'])
  })
})

describe('access', () => {
  const codeOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { code?: string }).code,
  ]

  test.each(['GET', 'POST', 'PATCH'])('%s needs a key of the space', async method => {
    const body = method === 'GET' ? undefined : '{}'
    const other = await service.createSpace()
    const at = (key?: string) =>
      folderOf(service, space.subdomain, key).send(method, body, { 'content-type': 'application/json' })
    expect(await codeOf(await at())).toEqual([401, 'sign_in_required'])
    expect(await codeOf(await at('nonsense'))).toEqual([401, 'unauthorized'])
    expect(await codeOf(await at(await other.key(...SPACE_SCOPES)))).toEqual([403, 'space_mismatch'])
  })

  test.each<[SpaceScope[], 200 | 403]>([
    [['pages', 'data', 'files'], 200],
    [['pages', 'data', 'files_write'], 200],
    [['pages', 'data'], 403],
    [['pages', 'files'], 403],
    [['data', 'files'], 403],
  ])('a key with %j gets %i for the listing and for contents', async (scopes, status) => {
    const { send } = folderOf(service, space.subdomain, await space.key(...scopes))
    expect((await send('GET')).status).toBe(status)
    const json = { 'content-type': 'application/json' }
    expect((await send('POST', '{"paths":["pages/a.liquid"]}', json)).status).toBe(status)
  })

  test.each<[SpaceScope, string]>([
    ['pages', 'pages/a.liquid'],
    ['pages', 'parts/a.liquid'],
    ['data', 'data/a.json'],
    ['files_write', 'files/a.txt'],
  ])('the scope %s is needed and enough to write %s', async (scope, path) => {
    const others = SPACE_SCOPES.filter(one => one !== scope)
    const without = folderOf(service, space.subdomain, await space.key(...others))
    const alone = folderOf(service, space.subdomain, await space.key(scope))
    expect(await without.change({ [path]: '1' }, { [path]: null })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    })
    expect((await alone.change({ [path]: '1' }, { [path]: null })).status).toBe(200)
  })
})
