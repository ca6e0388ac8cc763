import { beforeEach, describe, expect, test } from 'vitest'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { pack } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'
import { contentOf } from './support/content-of.ts'

const service = useTestService()
const mover = useMover(service)
let space: TestSpace
beforeEach(async () => {
  space = await mover.space()
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
    const [event] = (await space.owner.audit.ofSpace({ subdomain, topic: 'content' })).events
    expect(event).toMatchObject({ kind: 'restored', cause: 'import', item: null, items: 5 })
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
    const archive = await pack({ path: 'pages/a.html', content: 'x' })
    const { body } = await mover.upload(space.subdomain, archive)
    await space.owner.spaces.delete({ subdomain: space.subdomain, confirm: space.subdomain })
    const late = await mover.upload(space.subdomain, archive, `plan=${body.plan}`)
    expect([late.status, late.body.code]).toEqual([404, 'space_not_found'])
  })
})
