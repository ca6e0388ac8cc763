import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits, rules } from '../../routers/core/rules.ts'
import { requestHost } from '../support/request-host.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { type Packed, pack, patched, unpack, withNumber } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'

const service = useTestService()
const mover = useMover(service)
let space: TestSpace
beforeEach(async () => {
  space = await mover.space()
})

const exported = async (subdomain: string) =>
  Buffer.from(await (await mover.download(subdomain)).arrayBuffer())

/** Returns everything in a space as REST returns it, except ids and other values that differ in a copy. */
const contentOf = async ({ api }: TestSpace) => {
  const list = async (path: string) => (await api.get<{ data: { id: string }[] }>(path)).body.data
  const each = async (path: string) =>
    Promise.all((await list(path)).map(async ({ id }) => (await api.get(`${path}/${id}`)).body))
  const pages = (await each('/pages')).map(({ slug, kind, html }) => ({ slug, kind, html }))
  const parts = (await each('/parts')).map(({ name, html }) => ({ name, html }))
  const data = (await list('/data')).map(record => record as unknown as Record<string, unknown>)
  const files = (await list('/files')).map(file => file as unknown as Record<string, unknown>)
  return {
    pages,
    parts,
    data: data.map(({ key, value, description }) => ({ key, value, description })),
    files: files.map(({ name, size, content_type }) => ({ name, size, content_type })),
  }
}

const fill = async ({ api }: TestSpace) => {
  await api.post('/parts', { name: 'frame', html: '<main>{% block content %}{% endblock %}</main>' })
  await api.post('/parts', { name: 'greeting', html: 'Hello {{ who }} \u{1F331}' })
  await api.post('/pages', {
    slug: 'home',
    kind: 'static',
    html: "{% layout 'frame' %}{% block content %}{% render 'greeting', who: data.names[0] %}{% endblock %}",
  })
  await api.post('/pages', {
    slug: 'script',
    html: '<script>1 < 2</script>{{ files.size }} {{ pages.size }}',
  })
  await api.put('/data/names', { value: ['Robin', '\0', { b: 1, a: 2 }], description: 'Who is there' })
  await api.put('/data/null', { value: null })
  await api.post('/files', { name: 'a: b?.txt', content: 'one', encoding: 'text' })
  await api.post('/files', { name: 'same.txt', content: 'two', encoding: 'text' })
  await api.post('/files', { name: 'same.txt', content: 'three', encoding: 'text' })
}

const bodyOf = async ({ subdomain }: TestSpace, slug: string) => {
  const { text } = await requestHost(service, `${subdomain}.sites.localhost`, `/${slug}`)
  return text.replaceAll(subdomain, 'SPACE')
}

describe('an export', () => {
  test('imported into an empty space gives the same content and pages', async () => {
    await fill(space)
    const response = await mover.download(space.subdomain)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${space.subdomain}-\\d{4}-\\d\\d-\\d\\d\\.zip"$`),
    )
    const archive = Buffer.from(await response.arrayBuffer())
    expect(archive.length).toBe(Number(response.headers.get('content-length')))
    const copy = await mover.space()
    const { status, body } = await mover.put(copy.subdomain, archive)
    expect([status, body.changes?.every(({ action }) => action === 'add')]).toEqual([200, true])
    expect(await contentOf(copy)).toEqual(await contentOf(space))
    expect(await bodyOf(copy, 'home')).toBe(await bodyOf(space, 'home'))
    const again = await unpack(await exported(copy.subdomain))
    const first = await unpack(archive)
    const texts = (files: Map<string, Buffer>) =>
      [...files]
        .filter(([path]) => /^(pages|parts|data)/.test(path))
        .map(([path, bytes]) => [path, bytes.toString()])
    expect(texts(again)).toEqual(texts(first))
  })

  test('imported into the same space changes nothing', async () => {
    await fill(space)
    const archive = await exported(space.subdomain)
    const { body } = await mover.upload(space.subdomain, archive, 'delete_missing=1')
    expect(body.changes).toEqual([])
  })

  test('has readable file names and the unchanged content of files', async () => {
    await fill(space)
    const files = await unpack(await exported(space.subdomain))
    const names = [...files.keys()].map(path => path.replace(/[2-9a-z]{16}/, 'ID')).toSorted()
    expect(names).toEqual([
      'data/names.json',
      'data/null.json',
      'files/ID/a_ b_.txt',
      'files/ID/same.txt',
      'files/ID/same.txt',
      'manifest.json',
      'pages/home.liquid',
      'pages/script.liquid',
      'parts/frame.liquid',
      'parts/greeting.liquid',
    ])
  })

  test.each([
    ['without a session', { cookie: '' }, 'sign_in_required'],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, 'cross_site_request'],
  ])('%s is refused', async (_what, headers, code) => {
    const response = await mover.download(space.subdomain, headers)
    expect(await response.json()).toMatchObject({ code })
    const { body } = await mover.upload(space.subdomain, await pack(), '', headers)
    expect(body.code).toBe(code)
  })

  test('is refused for a space of other people and for an unknown space', async () => {
    const other = await service.createSpace()
    for (const subdomain of [other.subdomain, 'nowhere', 'x'])
      expect(await (await mover.download(subdomain)).json()).toMatchObject({ code: 'space_not_found' })
  })
})

describe('an import', () => {
  test('previews what it adds, changes and deletes, and writes nothing before it is confirmed', async () => {
    const { api, subdomain } = space
    await api.post('/pages', { slug: 'kept', html: 'x' })
    await api.post('/pages', { slug: 'changed', html: 'x' })
    await api.post('/pages', { slug: 'gone', html: 'x' })
    await api.put('/data/old', { value: 1 })
    await api.post('/files', { name: 'a.txt', content: 'one', encoding: 'text' })
    const before = await contentOf(space)
    const archive = await pack(
      { path: 'pages/kept.html', content: 'x' },
      { path: 'pages/changed.liquid', content: 'y' },
      { path: 'data/new.json', content: '{ "a": [1] }' },
      { path: 'files/a.txt', content: 'two' },
      { path: '__MACOSX/._a', content: 'litter' },
    )
    const preview = await mover.upload(subdomain, archive, 'delete_missing=1')
    expect(preview.body.changes).toEqual([
      { kind: 'page', name: 'gone', action: 'delete' },
      { kind: 'page', name: 'changed', action: 'change' },
      { kind: 'record', name: 'old', action: 'delete' },
      { kind: 'record', name: 'new', action: 'add' },
      { kind: 'file', name: 'a.txt', action: 'change' },
    ])
    expect(await contentOf(space)).toEqual(before)
    const kept = await mover.upload(subdomain, archive)
    expect(kept.body.changes!.map(({ action }) => action)).toEqual(['change', 'add', 'change'])

    const done = await mover.upload(subdomain, archive, `delete_missing=1&plan=${preview.body.plan}`)
    expect(done.body).toMatchObject({ operation: expect.stringMatching(/^[2-9a-z]{16}$/) })
    const after = await contentOf(space)
    expect(after.pages.map(({ slug, html }) => [slug, html])).toEqual([
      ['changed', 'y'],
      ['kept', 'x'],
    ])
    expect(after.data).toEqual([{ key: 'new', value: { a: [1] }, description: null }])
    expect(after.files).toEqual([{ name: 'a.txt', size: 3, content_type: 'text/plain' }])
  })

  test('is refused if the space has changed since the preview', async () => {
    const { api, subdomain } = space
    await api.post('/pages', { slug: 'home', html: 'x' })
    const archive = await pack({ path: 'pages/home.html', content: 'y' })
    const { body } = await mover.upload(subdomain, archive)
    const [page] = (await contentOf(space)).pages
    await api.post('/pages', { slug: 'unrelated', html: 'x' })
    const { data } = (await api.get<{ data: { id: string; slug: string }[] }>('/pages')).body
    await api.patch(`/pages/${data.find(({ slug }) => slug === 'home')!.id}`, { html: 'theirs' })
    const late = await mover.upload(subdomain, archive, `plan=${body.plan}`)
    expect(late.body.code).toBe('space_changed')
    expect((await contentOf(space)).pages).toContainEqual({ ...page, html: 'theirs' })
  })

  const page = (name: string): Packed => ({ path: `pages/${name}.html`, content: 'x' })

  const refused: [what: string, archive: () => Promise<Buffer>, field: string][] = [
    ['something else than a zip archive', async () => Buffer.from('PK no zip'), '$'],
    ['an empty body', async () => Buffer.alloc(0), '$'],
    ['a truncated archive', async () => (await pack(page('a'))).subarray(0, -30), '$'],
    [
      'a name that leaves the folder',
      async () => patched(await pack(page('aaaaaa')), 'pages/aaaaaa', '../../../aaaa'.slice(0, 12)),
      '$',
    ],
    [
      'an absolute name',
      async () => patched(await pack(page('aaaaaa')), 'pages/aaaaaa', '/ages/aaaaaa'),
      '$',
    ],
    [
      'a name with a backslash',
      async () => patched(await pack(page('aaaaaa')), 'pages/aaaaaa', 'pages\\aaaaaa'),
      '$',
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
      'a file longer than it says',
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
      'files that are too large together',
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
      'a page as .html and .liquid',
      () => pack(page('a'), { path: 'pages/a.liquid', content: 'x' }),
      'pages/a.liquid',
    ],
    ['data that is not JSON', () => pack({ path: 'data/a.json', content: '{' }), 'data/a.json'],
    [
      'data that is too deep',
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

  test.each(refused)('refuses %s and writes nothing', async (_what, archive, field) => {
    const { status, body } = await mover.upload(space.subdomain, await archive())
    expect([status, body.code]).toEqual([422, 'validation_failed'])
    expect(body.errors!.map(error => error.field)).toContain(field)
    expect(await contentOf(space)).toEqual({ pages: [], parts: [], data: [], files: [] })
  })

  test('refuses an archive without a manifest', async () => {
    const without = patched(await pack(page('a')), 'manifest.json', 'pages/x.html_')
    expect((await mover.upload(space.subdomain, without)).body.errors).toEqual([
      { field: 'manifest.json', message: 'is missing' },
    ])
  })

  test('refuses an archive that is announced as too large, before it arrives', async () => {
    const { status, text } = await requestHost(service, 'localhost', `/transfer/${space.subdomain}`, {
      method: 'POST',
      headers: { cookie: mover.cookie, 'content-length': String(limits.archive + 1) },
    })
    expect([status, JSON.parse(text).code]).toEqual([413, 'payload_too_large'])
  })

  test('refuses an archive of unknown size when it gets too large', async () => {
    const piece = new Uint8Array(1_048_576)
    const pieces = function* () {
      for (let size = 0; size <= limits.archive; size += piece.length) yield piece
    }
    const { status, body } = await mover.upload(space.subdomain, ReadableStream.from(pieces()))
    expect([status, body.code]).toEqual([413, 'payload_too_large'])
  })

  test.each([
    [
      'data_quota_exceeded',
      Array.from({ length: 101 }, (_, n) => ({ path: `data/${n}.json`, content: '1' })),
    ],
    [
      'parts_quota_exceeded',
      Array.from({ length: 5 }, (_, n) => ({ path: `parts/${n}.html`, content: 'x'.repeat(250_000) })),
    ],
  ])('refuses an archive beyond a quota: %s', async (code, files) => {
    expect((await mover.upload(space.subdomain, await pack(...files))).body.code).toBe(code)
  })

  test('is refused if the space is deleted in the meantime', async () => {
    const archive = await pack(page('a'))
    const { body } = await mover.upload(space.subdomain, archive)
    await space.owner.spaces.delete({ subdomain: space.subdomain, confirm: space.subdomain })
    const late = await mover.upload(space.subdomain, archive, `plan=${body.plan}`)
    expect([late.status, late.body.code]).toEqual([404, 'space_not_found'])
  })

  test('a space of 100 MiB can be exported and imported, and no archive stays on the disk', async () => {
    // A folder of its own, because other processes create archives in the usual one.
    const temporary = await mkdtemp(path.join(os.tmpdir(), 'space-site-test-transfer-'))
    onTestFinished(() => rm(temporary, { recursive: true, force: true }))
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    const contents = Array.from({ length: 10 }, (_, n) => Buffer.alloc(rules.file.max_bytes, `${n} is it. `))
    const archive = await pack(
      ...contents.map((content, n) => ({ path: `files/${n}.bin`, content, options: { compress: false } })),
    )
    expect((await mover.put(space.subdomain, archive)).status).toBe(200)
    const files = await unpack(await exported(space.subdomain))
    const received = [...files].filter(([path]) => path.startsWith('files/'))
    for (const [path, bytes] of received)
      expect(bytes.equals(contents[Number(/(\d)\.bin$/.exec(path)![1])]!)).toBe(true)
    expect(files.size).toBe(11)
    await expect.poll(() => readdir(temporary)).toEqual([])
  })
})
