import { beforeEach, describe, expect, test } from 'vitest'
import { testPng } from '../support/png.ts'
import { requestHost } from '../support/request-host.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { pack } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'

const service = useTestService()
const mover = useMover(service)
let space: TestSpace
beforeEach(async () => {
  space = await mover.space()
})

/** Sets the name of a space, and an icon of one color. */
const configure = async ({ owner, subdomain }: TestSpace, name: string, background?: string) => {
  await owner.spaces.rename({ subdomain, name })
  if (background)
    await owner.spaces.setIcon({ subdomain, png: await testPng({ width: 256, height: 256, background }) })
}

/** Returns the name of a space and the bytes of its icon, as readers receive them. */
const settingsOf = async ({ api }: TestSpace) => {
  const { name, icon_url } = (await api.get<{ name: string; icon_url: string | null }>('')).body
  if (icon_url === null) return { name, icon: null }
  const { status, bytes } = await requestHost(service, 'localhost', new URL(icon_url).pathname)
  expect(status).toBe(200)
  return { name, icon: bytes.toString('base64') }
}

const NAME = { kind: 'space', name: 'name', action: 'change' }

describe('an import', () => {
  test('replaces the name and the icon of the space, after a preview', async () => {
    await configure(space, 'Garden ❀', '#123456')
    const archive = await mover.archive(space.subdomain)
    const copy = await mover.space()
    const before = await settingsOf(copy)
    const { body } = await mover.upload(copy.subdomain, archive)
    expect(body.changes).toEqual([NAME, { kind: 'space', name: 'icon', action: 'add' }])
    expect(await settingsOf(copy)).toEqual(before)
    await mover.put(copy.subdomain, archive)
    expect(await settingsOf(copy)).toEqual(await settingsOf(space))
    expect((await mover.upload(copy.subdomain, archive)).body.changes).toEqual([])
  })

  test('can be undone, including the name and the icon', async () => {
    await configure(space, 'Garden', '#123456')
    await space.api.post('/pages', { slug: 'home', html: 'x' })
    const copy = await mover.space()
    await configure(copy, 'Other', '#654321')
    const before = await settingsOf(copy)
    const { body } = await mover.put(copy.subdomain, await mover.archive(space.subdomain))
    expect(await settingsOf(copy)).toEqual(await settingsOf(space))
    const { subdomain } = copy
    const undone = await copy.owner.history.undo({ subdomain, operation: body.operation! })
    expect([undone.steps.length, undone.skipped]).toEqual([3, []])
    expect(await settingsOf(copy)).toEqual(before)
  })

  test('keeps the name and the icon if the archive has neither', async () => {
    await configure(space, 'Garden', '#123456')
    const before = await settingsOf(space)
    const { body } = await mover.put(space.subdomain, await pack(), 'delete_missing=1')
    expect([body.changes, await settingsOf(space)]).toEqual([[], before])
  })

  test('replaces the name and keeps the icon if the archive was written before icons were exported', async () => {
    await configure(space, 'Garden', '#123456')
    const { icon } = await settingsOf(space)
    const manifest = {
      format: 'space-site-space',
      version: 1,
      space: { subdomain: 'old', name: 'Old' },
      pages: { home: { kind: 'static' } },
    }
    const archive = await pack(
      { path: 'manifest.json', content: JSON.stringify(manifest) },
      { path: 'pages/home.liquid', content: 'x' },
    )
    const { body } = await mover.put(space.subdomain, archive, 'delete_missing=1')
    expect(body.changes).toEqual([NAME, { kind: 'page', name: 'home', action: 'add' }])
    expect(await settingsOf(space)).toEqual({ name: 'Old', icon })
  })

  test('removes the icon if the exported space had none and the import deletes missing items', async () => {
    const archive = await mover.archive(space.subdomain)
    const copy = await mover.space()
    await configure(copy, (await settingsOf(space)).name, '#123456')
    expect((await mover.upload(copy.subdomain, archive)).body.changes).toEqual([])
    const { body } = await mover.put(copy.subdomain, archive, 'delete_missing=1')
    expect(body.changes).toEqual([{ kind: 'space', name: 'icon', action: 'delete' }])
    expect((await settingsOf(copy)).icon).toBeNull()
  })
})
