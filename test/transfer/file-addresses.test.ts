import { beforeEach, describe, expect, test } from 'vitest'
import { requestHost } from '../support/request-host.ts'
import { type TestService, type TestSpace, useTestService } from '../support/test-service.ts'
import { pack, unpack } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'

const service = useTestService()
const elsewhere = useTestService({
  scheme: 'https',
  filesDomain: 'uploads.example:8443',
  siteDomain: 'sites.example',
})
const mover = useMover(service)
const moverElsewhere = useMover(elsewhere)
let space: TestSpace
beforeEach(async () => {
  space = await mover.space()
})

interface StoredFile {
  id: string
  name: string
  url: string
}

const addFile = async ({ api }: TestSpace, name: string, content: string) =>
  (await api.post<StoredFile>('/files', { name, content, encoding: 'text' })).body

const filesOf = async ({ api }: TestSpace) => (await api.get<{ data: StoredFile[] }>('/files')).body.data

const pageOf = async ({ api }: TestSpace, slug: string) => {
  const { data } = (await api.get<{ data: { id: string; slug: string }[] }>('/pages')).body
  const { id } = data.find(page => page.slug === slug)!
  return (await api.get<{ html: string }>(`/pages/${id}`)).body.html
}

const contentAt = async (where: TestService, url: string) => {
  const { status, text } = await requestHost(where, new URL(url).host)
  return [status, text]
}

describe('a file address in an archive', () => {
  test.each([
    ['another space', service, mover],
    ['a space of another service', elsewhere, moverElsewhere],
  ])('is replaced in pages, parts and records that are imported into %s', async (_where, target, owner) => {
    const { id, url } = await addFile(space, 'logo.txt', 'the logo')
    const { host } = new URL(url)
    await space.api.post('/parts', { name: 'logo', html: `<img src="${url}">` })
    await space.api.post('/pages', { slug: 'home', html: `${url} (//${host}/) ${url}/?x=1#y ${url}. ${url}` })
    await space.api.put('/data/logo', { value: { [url]: [url], id } })
    const copy = await owner.space()
    expect((await owner.put(copy.subdomain, await mover.archive(space.subdomain))).status).toBe(200)
    const [file] = await filesOf(copy)
    const there = file!.url
    expect(there).not.toBe(url)
    expect(await pageOf(copy, 'home')).toBe(
      `${there} (//${new URL(there).host}/) ${there}/?x=1#y ${there}. ${there}`,
    )
    const [part] = (await copy.api.get<{ data: { id: string }[] }>('/parts')).body.data
    expect((await copy.api.get<{ html: string }>(`/parts/${part!.id}`)).body.html).toBe(
      `<img src="${there}">`,
    )
    const record = (await copy.api.get<{ value: object }>('/data/logo')).body
    expect(record.value).toEqual({ [there]: [there], id })
    expect(await contentAt(target, there)).toEqual([200, 'the logo'])
    expect(await contentAt(service, url)).toEqual([200, 'the logo'])
  })

  test('is not replaced if no file in the archive has that address', async () => {
    const { url } = await addFile(space, 'a.txt', 'a')
    const foreign = await addFile(await mover.space(), 'b.txt', 'b')
    const html = `${foreign.url} ${url}.example.com ${url}-x ${url}:81 x${new URL(url).host} ${url.replace('//', '/')}`
    await space.api.post('/pages', { slug: 'home', html })
    const copy = await mover.space()
    await mover.put(copy.subdomain, await mover.archive(space.subdomain))
    expect(await pageOf(copy, 'home')).toBe(html)
  })

  test('is replaced even if the archive does not name the domain of files', async () => {
    const { id, url } = await addFile(space, 'a.txt', 'a')
    const archive = await pack(
      { path: 'pages/home.liquid', content: url },
      { path: `files/${id}/a.txt`, content: 'a' },
    )
    const copy = await mover.space()
    await mover.put(copy.subdomain, archive)
    expect(await pageOf(copy, 'home')).toBe((await filesOf(copy))[0]!.url)
  })

  test('stays the same if the archive is imported back into its space, even if the file was deleted', async () => {
    const { id, url } = await addFile(space, 'a.txt', 'a')
    await space.api.post('/pages', { slug: 'home', html: url })
    const archive = await mover.archive(space.subdomain)
    expect((await mover.upload(space.subdomain, archive)).body.changes).toEqual([])
    await space.api.delete(`/files/${id}`)
    const { body } = await mover.put(space.subdomain, archive)
    expect(body.changes).toEqual([{ kind: 'file', name: 'a.txt', action: 'add' }])
    expect(await contentAt(service, url)).toEqual([200, 'a'])
  })

  test('is replaced by the address of an existing file with the same name', async () => {
    const { url } = await addFile(space, 'a.txt', 'new')
    await space.api.post('/pages', { slug: 'home', html: url })
    const copy = await mover.space()
    const existing = await addFile(copy, 'a.txt', 'old')
    await mover.put(copy.subdomain, await mover.archive(space.subdomain))
    expect(await pageOf(copy, 'home')).toBe(existing.url)
    expect(await contentAt(service, existing.url)).toEqual([200, 'new'])
  })

  test('makes the import fail if the new address would make a page too long', async () => {
    const { url } = await addFile(space, 'a.txt', 'a')
    const html = url.padEnd(262_144, ' x')
    await space.api.post('/pages', { slug: 'long', html })
    const copy = await moverElsewhere.space()
    const { status, body } = await moverElsewhere.put(copy.subdomain, await mover.archive(space.subdomain))
    expect([status, body.errors]).toEqual([
      422,
      [
        {
          field: 'pages/long',
          message: 'must have at most 262144 characters after its file addresses are replaced',
        },
      ],
    ])
    expect(await filesOf(copy)).toEqual([])
  })
})

describe('an imported file', () => {
  test('is recognized by a second import, even among files with the same name', async () => {
    for (const content of ['1', '2']) await addFile(space, 'same.txt', content)
    const archive = await mover.archive(space.subdomain)
    const copy = await mover.space()
    await mover.put(copy.subdomain, archive)
    expect((await mover.upload(copy.subdomain, archive, 'delete_missing=1')).body.changes).toEqual([])
  })

  test('never takes the id of a file in another space', async () => {
    const { id, url } = await addFile(space, 'a.txt', 'theirs')
    const deleted = await addFile(space, 'b.txt', 'theirs too')
    await space.api.delete(`/files/${deleted.id}`)
    const copy = await mover.space()
    const archive = await pack(
      ...[id, deleted.id].map(one => ({ path: `files/${one}/x.txt`, content: 'mine' })),
    )
    await mover.put(copy.subdomain, archive)
    const ids = (await filesOf(copy)).map(file => file.id)
    expect([ids.length, ids.includes(id), ids.includes(deleted.id)]).toEqual([2, false, false])
    expect(await contentAt(service, url)).toEqual([200, 'theirs'])
  })

  test('gets a new id if another file of the archive would get the same id', async () => {
    await addFile(space, 'a.txt', '1')
    const first = await mover.archive(space.subdomain)
    const copy = await mover.space()
    await mover.put(copy.subdomain, first)
    const files = [first, await mover.archive(copy.subdomain)].map(unpack)
    const both = (await Promise.all(files)).flatMap(one =>
      [...one].filter(([path]) => path.startsWith('files/')),
    )
    const { status } = await mover.put(
      copy.subdomain,
      await pack(...both.map(([path, content]) => ({ path, content }))),
    )
    expect([status, (await filesOf(copy)).length]).toEqual([200, 2])
  })
})
