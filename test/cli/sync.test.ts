import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { type Ended, useComputer } from './support/terminal.ts'

const service = useTestService()
const computer = useComputer()

let space: TestSpace
let page: string
let env: Record<string, string>
let keyId: string
/** What the running command has printed. */
let printed: string[]
let end: () => Promise<Ended>
beforeEach(async () => {
  space = await service.createSpace()
  const { subdomain, owner } = space
  const { id, secret } = await owner.keys.issue({ subdomain, label: 'sync', scopes: [...SPACE_SCOPES] })
  keyId = id
  const at = `${service.root}/admin/spaces/${subdomain}`
  env = { HOME: computer.home, SPACE_URL: at, SPACE_KEY: secret }
  page = (await space.api.post<{ id: string }>('/pages', { slug: 'about', html: 'one\ntwo\nthree' })).body.id
  await computer.space('', ['clone', at], { env })
})
afterEach(() => end())

const file = (name: string) => path.join(computer.home, space.subdomain, name)
const write = async (name: string, content: string) => {
  await mkdir(path.dirname(file(name)), { recursive: true })
  await writeFile(file(name), content)
}
const read = (name: string) => readFile(file(name), 'utf8').catch(() => null)
const htmlOf = async () => (await space.api.get<{ html: string }>(`/pages/${page}`)).body.html
const edit = (html: string) => space.api.patch(`/pages/${page}`, { html })
/** Waits until something is so, however long it takes. */
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 20 })

/** Runs the command until the end of the test. */
const start = (request: typeof fetch = fetch): Promise<Ended> => {
  const stopped = new AbortController()
  printed = []
  const print = (line: string) => void printed.push(line)
  const ended = computer.space(space.subdomain, ['sync'], {
    env,
    print,
    note: print,
    fetch: request,
    untilStopped: () => stopped.signal,
  })
  end = () => {
    stopped.abort()
    return ended
  }
  return ended
}

describe('space sync', () => {
  test('takes a save in the folder to the space, and one in the space to the folder', async () => {
    void start()
    await write('pages/about.liquid', 'mine')
    await until(async () => expect(await htmlOf()).toBe('mine'))
    await edit('theirs')
    await until(async () => expect(await read('pages/about.liquid')).toBe('theirs'))
    await write('files/sub.txt', 'new')
    await rm(file('pages/about.liquid'))
    await until(async () => expect((await space.api.get(`/pages/${page}`)).status).toBe(404))
    await until(() => expect(printed).toContain('> - pages/about.liquid'))
    expect(printed).toEqual(expect.arrayContaining(['> ~ pages/about.liquid', '< ~ pages/about.liquid']))
    expect((await end()).code).toBe(0)
  })

  test('leaves a conflict and a file that the space would not take, and goes on with the rest', async () => {
    await write('pages/about.liquid', 'mine')
    await edit('theirs')
    await write('data/broken.json', '{')
    void start()
    await until(async () => expect(await read('pages/about.theirs.liquid')).toBe('theirs\n'))
    await write('data/good.json', '1')
    await until(async () => expect((await space.api.get('/data/good')).status).toBe(200))
    expect(await htmlOf()).toBe('theirs')
    await rm(file('pages/about.theirs.liquid'))
    await until(async () => expect(await htmlOf()).toBe('mine'))
    const told = printed.filter(line => line.startsWith('! data/broken.json'))
    expect(told).toEqual([expect.stringContaining('this is not JSON')])
  })

  test('goes on after the service was away', async () => {
    let isAway = false
    void start((to, init) =>
      isAway
        ? Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }))
        : fetch(to, init),
    )
    isAway = true
    await write('pages/about.liquid', 'mine')
    await until(() => expect(printed.join('\n')).toContain('cannot be reached'))
    isAway = false
    await until(async () => expect(await htmlOf()).toBe('mine'))
    await until(() => expect(printed).toContain('All is well again.'))
  })

  test('stops with one sentence when its key ends', async () => {
    const ended = start()
    await write('pages/about.liquid', 'mine')
    await until(async () => expect(await htmlOf()).toBe('mine'))
    await space.owner.keys.revoke({ subdomain: space.subdomain, key_id: keyId })
    // The next request, because of a change on either side, finds out.
    await write('pages/about.liquid', 'again')
    expect((await ended).code).toBe(1)
    expect(printed.at(-1)).toContain('is not valid, or no longer')
  })

  const removeFolder = async () => {
    await rm(file('space.json'))
    // The command may still be putting its lock there.
    await rm(file(''), { recursive: true, maxRetries: 20 })
  }

  test.each([
    ['the folder itself is gone', removeFolder, 'space.json is gone'],
    ['most of it is gone', () => rm(file('data'), { recursive: true }), '12 items are gone from the folder'],
  ])('deletes nothing in the space when %s', async (_, remove, message) => {
    for (let index = 0; index < 12; index++) await write(`data/r${index}.json`, '1')
    void start()
    await until(() => expect(printed).toContain('> + data/r11.json'))
    await remove()
    await until(() => expect(printed.join('\n')).toContain(message))
    expect((await space.api.get<{ data: unknown[] }>('/data')).body.data).toHaveLength(12)
  })
})
