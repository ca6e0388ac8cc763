import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { starters } from '../../routers/api/rules.ts'
import type { SpaceScope } from '../../routers/api/scopes.ts'
import { VERSION } from '../../server/version.ts'
import { type TestSpace, uniqueName, useTestService } from '../support/test-service.ts'
import { useComputer } from './support/terminal.ts'

const service = useTestService()
const computer = useComputer()
const ALL: SpaceScope[] = ['pages', 'data', 'files', 'files_write']

let space: TestSpace
let at: string
let folder: string
beforeEach(async () => {
  space = await service.createSpace()
  at = `${service.root}/admin/spaces/${space.subdomain}`
  folder = space.subdomain
})

const login = async (...scopes: SpaceScope[]) => {
  computer.answers.push(await space.key(...scopes))
  return computer.space('', ['login', '--key', at])
}

const run = (...argv: string[]) => computer.space(folder, argv)
const file = (name: string) => path.join(computer.home, folder, name)
const write = async (name: string, content: string | Buffer) => {
  await mkdir(path.dirname(file(name)), { recursive: true })
  await writeFile(file(name), content)
}
const json = async (...argv: string[]) =>
  JSON.parse((await run(...argv, '--json')).out) as Record<string, unknown>

const clone = async () => {
  await login(...ALL)
  const ended = await computer.space('', ['clone', at])
  expect(ended).toMatchObject({ code: 0, err: '' })
}

describe('space', () => {
  test('clones a space, and pushes what was added, changed and deleted in the folder as one change', async () => {
    const { body: page } = await space.api.post<{ id: string }>('/pages', {
      slug: 'about',
      kind: 'static',
      html: '<h1>About</h1>',
    })
    await space.api.post('/pages', { slug: 'old', html: 'old' })
    await space.api.put('/data/site', { value: { title: 'Garden' }, description: 'Texts' })
    await space.api.post('/files', { name: 'a: b?.txt', content: 'one', encoding: 'text' })
    await clone()
    expect(await readFile(file('pages/about.liquid'), 'utf8')).toBe('<h1>About</h1>\n')
    expect(await readFile(file('data/site.json'), 'utf8')).toBe('{\n  "title": "Garden"\n}\n')
    expect(await readFile(file('files/a_ b_.txt'), 'utf8')).toBe('one')
    expect(JSON.parse(await readFile(file('space.json'), 'utf8'))).toEqual({ address: at })
    expect((await run('status')).out).toContain('The folder and the space are equal.')

    await write('pages/about.liquid', '<h1>About us</h1>\n')
    await write('pages/index.liquid', '<p>Home</p>')
    await write('data/site.json', '{"title": "Our garden"}')
    await write('files/a_ b_.txt', 'two')
    await write('files/logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    await writeFile(file('pages/old.liquid'), '')
    expect((await run('push', '--yes')).err).toContain('pages/old.liquid: the text is empty')
    await rm(file('pages/old.liquid'))
    const dry = await run('push', '--dry-run')
    expect([
      dry.code,
      dry.out
        .split('\n')
        .filter(Boolean)
        .map(line => line.split('  ')[0]),
    ]).toEqual([
      0,
      [
        '~ data/site.json',
        '~ files/a_ b_.txt',
        '+ files/logo.svg',
        '~ pages/about.liquid',
        '+ pages/index.liquid',
        '- pages/old.liquid',
      ],
    ])
    expect((await space.api.get<{ data: unknown[] }>('/pages')).body.data).toHaveLength(2)

    computer.answers.push('no')
    expect(await run('push')).toMatchObject({ code: 1, out: expect.stringContaining('Nothing was pushed.') })
    computer.answers.push('y')
    const pushed = await run('push')
    expect(pushed).toMatchObject({ code: 0, err: '' })
    expect(pushed.out).toContain(`/about\n`)
    expect(pushed.out).toMatch(/\nTo undo it: space undo [0-9a-z]{16}\n$/)
    const { body } = await space.api.get<{ html: string; kind: string }>(`/pages/${page.id}`)
    expect([body.html, body.kind]).toEqual(['<h1>About us</h1>', 'static'])
    expect((await run('status')).out).toContain('The folder and the space are equal.')
    expect((await run('push', '--yes')).out).toBe('Nothing has changed in the folder.\n')
  })

  test('pulls and merges, shows differences, and refuses to push over what the space changed', async () => {
    const { body: page } = await space.api.post<{ id: string }>('/pages', {
      slug: 'about',
      html: 'one\ntwo\nthree',
    })
    const edit = (html: string) => space.api.patch(`/pages/${page.id}`, { html })
    await clone()
    await write('pages/about.liquid', 'ONE\ntwo\nthree')
    await edit('one\ntwo\nTHREE')
    expect(await run('push', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Run space pull first'),
    })
    expect(await run('status')).toMatchObject({ code: 1, out: expect.stringContaining('Changed in both') })
    const { out } = await run('diff')
    expect(out).toBe(
      'pages/about.liquid (changed in the folder, changed in the space)\n@@ -1,3 +1,3 @@\n-one\n+ONE\n two\n-THREE\n+three\n\n',
    )
    expect(await run('pull')).toMatchObject({
      code: 0,
      out: expect.stringContaining('merged with your changes'),
    })
    expect(await readFile(file('pages/about.liquid'), 'utf8')).toBe('ONE\ntwo\nTHREE')
    expect(await run('push', '--yes')).toMatchObject({ code: 0 })

    await write('pages/about.liquid', 'mine')
    await edit('theirs')
    expect(await json('pull')).toMatchObject({
      conflicts: [{ path: 'pages/about.liquid', theirs: 'pages/about.theirs.liquid' }],
    })
    expect(await json('status')).toMatchObject({ conflicts: [{ path: 'pages/about.liquid' }] })
    expect(await run('push', '--yes')).toMatchObject({ code: 1, err: expect.stringContaining('not settled') })
    await rm(file('pages/about.theirs.liquid'))
    expect(await json('push', '--yes')).toMatchObject({
      changes: [{ path: 'pages/about.liquid', change: 'changed' }],
    })
  })

  test('pushes nothing if the space changes an item between the plan and the push', async () => {
    const { body: page } = await space.api.post<{ id: string }>('/pages', { slug: 'about', html: 'one' })
    await clone()
    await write('pages/about.liquid', 'mine')
    await write('pages/new.liquid', 'new')
    const meanwhile: typeof fetch = async (to, init) => {
      if (init?.method === 'PATCH') await space.api.patch(`/pages/${page.id}`, { html: 'theirs' })
      return fetch(to, init)
    }
    expect(await computer.space(folder, ['push', '--yes'], { fetch: meanwhile })).toMatchObject({
      code: 1,
      err: 'Nothing was pushed, because the space has changed since your last pull: pages/about.liquid. Run space pull first.\n',
    })
    expect((await space.api.get<{ data: unknown[] }>('/pages')).body.data).toHaveLength(1)
    expect((await space.api.get<{ html: string }>(`/pages/${page.id}`)).body.html).toBe('theirs')
  })

  test('keeps the id of a page whose file is renamed', async () => {
    const { body: page } = await space.api.post<{ id: string }>('/pages', { slug: 'about', html: 'one' })
    await clone()
    await rename(file('pages/about.liquid'), file('pages/info.liquid'))
    expect(await run('push', '--yes')).toMatchObject({ code: 0 })
    expect((await space.api.get<{ slug: string }>(`/pages/${page.id}`)).body.slug).toBe('info')
    expect((await run('status')).out).toContain('equal')
  })

  test('says after a push what does not work', async () => {
    await clone()
    await write('pages/index.liquid', '<p>\n{% include "nav" %}</p>')
    const { code, out } = await run('push', '--yes')
    expect(code).toBe(0)
    expect(out).toContain('These do not work:\npages/index.liquid:2:1 This space has no part named “nav”.')
    await write('parts/nav.liquid', 'nav')
    expect((await run('push', '--yes')).out).not.toContain('work')
  })

  test('pushes files of which two have the same name', async () => {
    for (const content of ['one', 'two'])
      await space.api.post('/files', { name: 'a.txt', content, encoding: 'text' })
    await clone()
    await write('files/a.txt', 'three')
    expect(await run('push', '--yes')).toMatchObject({ code: 0 })
    expect((await run('status')).out).toContain('equal')
    expect((await space.api.get<{ data: unknown[] }>('/files')).body.data).toHaveLength(3)
  })

  test('makes a site from each starter without an account, which can be pushed to an empty space', async () => {
    for (const starter of starters) {
      folder = uniqueName('site')
      expect(
        await computer.space('', ['init', starter, folder], { packageFolder: starterPackage }),
      ).toMatchObject({ code: 0 })
      expect((await stat(file('pages/index.liquid'))).isFile()).toBe(true)
      expect(await run('push', '--yes')).toMatchObject({
        code: 1,
        err: expect.stringContaining('has no space yet'),
      })
    }
    await login(...ALL)
    await write('space.json', JSON.stringify({ address: at }))
    expect(await run('push', '--yes')).toMatchObject({ code: 0 })
    expect(await run('status')).toMatchObject({ code: 0, out: expect.stringContaining('equal') })
  })

  test('opens the site, and forgets a key', async () => {
    await clone()
    await run('open')
    expect(computer.opened.pop()).toContain(space.subdomain)
    expect((await run('logout')).out).toContain('The key is deleted here')
    expect(await run('pull')).toMatchObject({
      code: 1,
      err: `There is no key for ${at}; run: space login ${at}\n`,
    })
  })

  test('says when the service has another version', async () => {
    await clone()
    const { code, err } = await computer.space(folder, ['pull'], { version: '0.0.9' })
    expect([code, err]).toEqual([
      0,
      `This command has version 0.0.9, the service ${VERSION}. To update it: npm install --global ${service.root}/space-site-${VERSION}.tgz\n`,
    ])
  })

  test('asks for the list of items only if it has changed', async () => {
    await clone()
    const statuses: number[] = []
    const counting: typeof fetch = async (to, init) => {
      const response = await fetch(to, init)
      if (response.url.endsWith('/items')) statuses.push(response.status)
      return response
    }
    const status = () => computer.space(folder, ['status'], { fetch: counting })
    await status()
    await status()
    await space.api.put('/data/a', { value: 1 })
    expect((await status()).out).toContain('data/a.json')
    expect(statuses).toEqual([200, 304, 200])
  })

  test('stores keys where only their owner can read them', async () => {
    await login(...ALL)
    const { mode } = await stat(path.join(computer.home, '.config/space-site/keys.json'))
    expect((mode & 0o777).toString(8)).toBe('600')
  })
})

let starterPackage: string
beforeAll(async () => {
  starterPackage = path.join(computer.home, 'package')
  await cp(
    path.join(import.meta.dirname, '../../routers/content/starters/sites'),
    path.join(starterPackage, 'starters'),
    { recursive: true },
  )
})

describe('one sentence says what is wrong with', () => {
  test('a key', async () => {
    const other = await service.createSpace()
    await clone()
    const asked = async (key: string) => {
      computer.answers.push(key)
      return (await run('login', '--key')).err.split('\n').at(-2)
    }
    expect(await asked('nonsense')).toBe('This is not a key of a space: those start with ss_sk_.')
    expect(await asked('ss_sk_wrong')).toContain('is not valid, or no longer')
    expect(await asked(await other.key(...ALL))).toContain('belongs to another space')
    expect(await asked(await space.key('pages'))).toContain('lacks a scope')
    // The key from before still works.
    expect((await run('status')).code).toBe(0)
  })

  test('a push without the scope for it', async () => {
    await login('pages', 'data', 'files')
    await computer.space('', ['clone', at])
    await write('files/a.txt', 'x')
    expect(await run('push', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('lacks a scope'),
    })
  })

  test('a service that is away', async () => {
    await clone()
    const away = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }))
    expect(await computer.space(folder, ['pull'], { fetch: away })).toMatchObject({
      code: 1,
      err: `${service.root} cannot be reached. Nothing was changed. Try again later.\n`,
    })
    await write('pages/new.liquid', 'x')
    const lost: typeof fetch = (at, init) =>
      init?.method === 'PATCH'
        ? Promise.reject(new TypeError('terminated', { cause: { code: 'ECONNRESET' } }))
        : fetch(at, init)
    expect((await computer.space(folder, ['push', '--yes'], { fetch: lost })).err).toContain(
      'run space pull, which finds out',
    )
  })

  test('SPACE_KEY without SPACE_URL, or for another space', async () => {
    await clone()
    const key = await space.key(...ALL)
    const withEnv = (env: Record<string, string>) =>
      computer.space(folder, ['status'], { env: { HOME: '/nowhere', ...env } })
    expect(await withEnv({ SPACE_KEY: key })).toMatchObject({
      code: 2,
      err: expect.stringContaining('together with SPACE_URL'),
    })
    expect(
      await withEnv({ SPACE_KEY: key, SPACE_URL: 'https://example.com/admin/spaces/other' }),
    ).toMatchObject({ code: 2 })
    expect(await withEnv({ SPACE_KEY: key, SPACE_URL: service.root })).toMatchObject({
      code: 2,
      err: expect.stringContaining(`SPACE_URL is wrong: "${service.root}" is not the address of a space`),
    })
    expect(await withEnv({ SPACE_KEY: key, SPACE_URL: at })).toMatchObject({ code: 0 })
  })
})
