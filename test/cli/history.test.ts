import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { SPACE_SCOPES, type SpaceScope } from '../../routers/api/scopes.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { useComputer } from './support/terminal.ts'

const service = useTestService()
const computer = useComputer()

let space: TestSpace
let env: Record<string, string>
beforeEach(async () => {
  space = await service.createSpace()
  const at = `${service.root}/admin/spaces/${space.subdomain}`
  env = { HOME: computer.home, SPACE_URL: at, SPACE_KEY: await space.key(...SPACE_SCOPES) }
  await space.api.post('/pages', { slug: 'about', html: 'one' })
  await computer.space('', ['clone', at], { env })
})

const run = (...argv: string[]) => computer.space(space.subdomain, argv, { env })
const write = async (file: string, content: string) => {
  const place = path.join(computer.home, space.subdomain, file)
  await mkdir(path.dirname(place), { recursive: true })
  await writeFile(place, content)
}
const listed = async () => {
  const { body } = await space.api.get<{ data: { slug: string }[] }>('/pages')
  return body.data.map(({ slug }) => slug).sort()
}
const withScopes = async (...scopes: SpaceScope[]) => {
  env = { ...env, SPACE_KEY: await space.key(...scopes) }
}

/** Pushes two items. @returns the id that the push prints */
const pushTwo = async (): Promise<string> => {
  await write('pages/about.liquid', 'two')
  await write('pages/new.liquid', 'new')
  const { out } = await run('push', '--yes')
  return /space undo (\S+)/.exec(out)![1]!
}

describe('space log', () => {
  test('lists who changed what, with a push as one entry', async () => {
    const operation = await pushTwo()
    const { out } = await run('log')
    const [push, ...rest] = out.split('\n').map(line => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'TIME'))
    expect(push).toMatch(new RegExp(`^${operation} {2}TIME {2}@\\S+ with .+, imported$`))
    expect(rest.slice(0, 2).sort()).toEqual(['  + pages/new.liquid', '  ~ pages/about.liquid'])
    expect(rest[2]).toMatch(/^\d+-page-\S+ {2}TIME {2}@/)
    expect(rest[3]).toBe('  + pages/about.liquid')
    const one = await run('log', 'pages/new.liquid')
    expect(one.out).not.toContain('about')
    const { changes } = JSON.parse((await run('log', '--json')).out) as { changes: unknown[] }
    expect(changes).toHaveLength(3)
  })

  test('leaves out what the key may not read', async () => {
    await pushTwo()
    await withScopes('data')
    expect((await run('log')).out).toBe('There are no such changes.\n')
  })

  test('names a new name of the space to a key that may change it, and to no other', async () => {
    await space.owner.spaces.rename({ subdomain: space.subdomain, name: 'Renamed' })
    expect((await run('log')).out).toContain('~ the name of the space')
    await withScopes('pages', 'data', 'files')
    expect((await run('log')).out).not.toContain('of the space')
  })
})

describe('space undo', () => {
  test('undoes a push as one change, which can be undone too; the folder follows with a pull', async () => {
    const operation = await pushTwo()
    const undone = await run('undo', operation)
    expect(undone).toMatchObject({ code: 0, err: '' })
    expect(await listed()).toEqual(['about'])
    await run('pull')
    const file = path.join(computer.home, space.subdomain, 'pages/about.liquid')
    expect(await readFile(file, 'utf8')).toBe('one')
    const [, again] = /space undo (\S+)/.exec(undone.out)!
    expect(await run('undo', again!)).toMatchObject({ code: 0 })
    expect(await listed()).toEqual(['about', 'new'])
  })

  test('leaves alone what has changed since, and says so', async () => {
    const operation = await pushTwo()
    await write('pages/about.liquid', 'three')
    await run('push', '--yes')
    const { code, out } = await run('undo', operation)
    expect([code, out]).toEqual([1, expect.stringContaining('! pages/about.liquid: it has changed since')])
    expect(await listed()).toEqual(['about'])
  })

  test('undoes a change of one item, but not under a later one', async () => {
    const idOf = async (file: string) => (await run('log', file)).out.split(' ')[0]!
    const { body } = await space.api.post<{ id: string }>('/pages', { slug: 'more', html: 'one' })
    const first = await idOf('pages/more.liquid')
    await space.api.patch(`/pages/${body.id}`, { html: 'two' })
    expect(await run('undo', first)).toMatchObject({
      code: 1,
      err: expect.stringContaining('pages/more.liquid has changed since, so nothing was undone'),
    })
    expect(await run('undo', await idOf('pages/more.liquid'))).toMatchObject({ code: 0 })
    expect((await space.api.get<{ html: string }>(`/pages/${body.id}`)).body.html).toBe('one')
  })

  test.each([
    ['a change that does not exist', 'k3v9x2m7q4t8w5z6', 'There is nothing to undo'],
    ['a change of an item that does not exist', '42-record-nothing', 'Nothing was changed.'],
  ])('is refused for %s', async (_, id, message) => {
    expect(await run('undo', id)).toMatchObject({ code: 1, err: expect.stringContaining(message) })
  })

  test('needs the scope for writing the items', async () => {
    await write('files/a.txt', 'x')
    const operation = /space undo (\S+)/.exec((await run('push', '--yes')).out)![1]!
    await withScopes('files')
    expect(await run('undo', operation)).toMatchObject({
      code: 1,
      err: expect.stringContaining('lacks a scope'),
    })
    expect((await space.api.get<{ data: unknown[] }>('/files')).body.data).toHaveLength(1)
  })
})
