import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { testPng } from '../support/png.ts'
import { requestHost } from '../support/request-host.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { useDev } from './support/dev.ts'
import { useComputer } from './support/terminal.ts'

const service = useTestService()
const computer = useComputer()
const startDev = useDev(computer)

let space: TestSpace
let at: string
let folder: string
beforeEach(async () => {
  space = await service.createSpace()
  at = `${service.root}/admin/spaces/${space.subdomain}`
  folder = path.join(computer.home, space.subdomain)
})

const env = async () => ({
  HOME: computer.home,
  SPACE_URL: at,
  SPACE_KEY: await space.key(...SPACE_SCOPES),
})
const clone = async () => {
  expect(await computer.space('', ['clone', at], { env: await env() })).toMatchObject({ code: 0, err: '' })
}
const run = async (...argv: string[]) => computer.space(space.subdomain, argv, { env: await env() })

const file = (name = 'icon.png') => path.join(folder, name)
const read = (name?: string) => readFile(file(name)).catch(() => null)
const png = (background: string, side = 256) => testPng({ width: side, height: side, background })
const write = async (background: string, side?: number) =>
  writeFile(file(), await png(background, side), 'base64')
const set = async (background: string) =>
  space.owner.spaces.setIcon({ subdomain: space.subdomain, png: await png(background) })

/** The icon that readers get; null if there is none. */
const served = async () => {
  const { icon_url } = await space.owner.space.get({ subdomain: space.subdomain })
  if (icon_url === null) return null
  return (await requestHost(service, 'localhost', new URL(icon_url).pathname)).bytes
}

describe('the icon of a space', () => {
  test('is icon.png in the folder, and is added, replaced and deleted there', async () => {
    await set('#ff0000')
    await clone()
    const red = await served()
    expect(await read()).toEqual(red)
    expect((await run('status')).out).toContain('The folder and the space are equal.')

    await write('#0000ff')
    expect((await run('push', '--yes')).out).toContain('~ icon.png')
    expect(await served()).not.toEqual(red)
    // The service stores the picture in a form of its own.
    expect(await read()).toEqual(await served())
    expect((await run('status')).out).toContain('The folder and the space are equal.')

    await rm(file())
    expect((await run('push', '--yes')).out).toContain('- icon.png')
    expect(await served()).toBeNull()
    await write('#00ff00')
    expect((await run('push', '--yes')).out).toContain('+ icon.png')
    expect(await served()).not.toBeNull()
  })

  test('comes into the folder when it is changed or removed in the dashboard', async () => {
    await clone()
    expect(await read()).toBeNull()
    await set('#ff0000')
    await run('pull')
    expect(await read()).toEqual(await served())
    await space.owner.spaces.removeIcon({ subdomain: space.subdomain })
    await run('pull')
    expect(await read()).toBeNull()
  })

  test('is kept beside that of the folder if both have changed', async () => {
    await set('#ff0000')
    await clone()
    await write('#0000ff')
    const mine = await read()
    await set('#00ff00')
    expect((await run('pull')).code).toBe(1)
    expect([await read(), await read('icon.theirs.png')]).toEqual([mine, await served()])
    expect((await run('push', '--yes')).err).toContain('Conflicts are not settled: icon.png')
    await rm(file('icon.theirs.png'))
    expect(await run('push', '--yes')).toMatchObject({ code: 0 })
    expect(await read()).toEqual(await served())
  })

  test('is not pushed if it has another size, which the check says too', async () => {
    await clone()
    await write('#ff0000', 16)
    const reason = 'must be exactly 256 by 256 pixels, but is 16 by 16'
    expect((await run('push', '--yes')).err).toContain(`icon.png: the icon ${reason}`)
    expect(await run('check')).toMatchObject({
      code: 1,
      out: expect.stringContaining(`icon.png: The icon ${reason}.`),
    })
    expect(await served()).toBeNull()
  })

  test('is named in the log, and its change can be undone', async () => {
    await set('#ff0000')
    const red = await served()
    await set('#0000ff')
    await clone()
    const { out } = await run('log', 'icon.png')
    const id = /^\S+/.exec(out)![0]
    expect(out).toContain('~ icon.png')
    expect(await run('undo', id)).toMatchObject({ code: 0, out: expect.stringContaining('~ icon.png') })
    expect(await served()).toEqual(red)
  })

  test('is part of a push, which is undone as a whole', async () => {
    await set('#ff0000')
    await clone()
    const red = await served()
    await write('#0000ff')
    await mkdir(file('data'), { recursive: true })
    await writeFile(file('data/site.json'), '{}')
    const id = /space undo (\S+)/.exec((await run('push', '--yes')).out)![1]!
    expect((await run('undo', id)).out).toContain('~ icon.png')
    expect(await served()).toEqual(red)
    expect((await space.api.get('/data/site')).status).toBe(404)
  })

  test('is shown by space dev, also after a change', async () => {
    await clone()
    const dev = await startDev(folder)
    expect((await dev.open('/favicon.ico')).status).toBe(404)
    for (const color of ['#ff0000', '#0000ff']) {
      await write(color)
      const icon = await read()
      await expect.poll(async () => (await dev.open('/favicon.ico')).bytes).toEqual(icon)
    }
  })

  test('stays outside of a folder that leaves it out', async () => {
    await clone()
    await writeFile(file('.spaceignore'), 'icon.png\n')
    await write('#ff0000')
    expect((await run('status')).out).toContain('The folder and the space are equal.')
    expect(await readdir(folder)).toContain('icon.png')
  })
})
