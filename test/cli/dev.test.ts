import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { policyOf } from '../support/request-host.ts'
import { useDev } from './support/dev.ts'
import { useComputer } from './support/terminal.ts'

const computer = useComputer()
const dev = useDev(computer)
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-dev-'))
  await write('space.json', '{"address": null}')
  await write('pages/index.liquid', '<p>home {% include "nav" %} {{ data.site.title }}</p>')
  await write('pages/about.liquid', '<p>about</p>')
  await write('parts/nav.liquid', 'nav')
  await write('data/site.json', '{"title": "Title"}')
  await write('files/note.txt', 'one')
  await write('manifest.json', manifest({ index: 'static', about: 'static' }))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const file = (name: string) => path.join(folder, name)
const write = async (name: string, content: string | Buffer) => {
  await mkdir(path.dirname(file(name)), { recursive: true })
  await writeFile(file(name), content)
}
const manifest = (kinds: Record<string, string>) =>
  JSON.stringify({
    format: 'space-site-space',
    version: 1,
    pages: Object.fromEntries(Object.entries(kinds).map(([slug, kind]) => [slug, { kind }])),
  })

/** Saves of an editor, one after the other: the path that shows each, and what is then there. */
const SAVES: readonly (readonly [how: string, save: () => Promise<unknown>, path: string, shown: string])[] =
  [
    ['a page in place', () => write('pages/about.liquid', '<p>changed</p>'), '/about', 'changed'],
    [
      'a page through another file',
      async () => {
        await write('pages/.about.liquid.swp', '<p>renamed</p>')
        await rename(file('pages/.about.liquid.swp'), file('pages/about.liquid'))
      },
      '/about',
      'renamed',
    ],
    ['a page that is empty, which cannot be', () => write('pages/about.liquid', ''), '/about', 'renamed'],
    ['a part', () => write('parts/nav.liquid', 'menu'), '/', 'home menu Title'],
    ['a record', () => write('data/site.json', '{"title": "Name"}'), '/', 'home menu Name'],
    ['a record that is no JSON', () => write('data/site.json', '{"title": }'), '/', 'home menu Name'],
    ['a new page', () => write('pages/new.liquid', 'new'), '/new', '<iframe'],
    [
      'another kind',
      () => write('manifest.json', manifest({ new: 'static', index: 'static', about: 'static' })),
      '/new',
      '<body>new',
    ],
    ['no page any more', () => rm(file('pages/new.liquid')), '/new', 'Page not found'],
    ['no parts any more', () => rm(file('parts'), { recursive: true }), '/', 'This page includes a part'],
    ['a new folder', () => write('parts/nav.liquid', 'again'), '/', 'home again Name'],
    ['no pages any more', () => rm(file('pages'), { recursive: true }), '/about', 'Page not found'],
    ['a page in a new folder', () => write('pages/about.liquid', 'back'), '/about', 'back'],
    ['a page in a watched new folder', () => write('pages/about.liquid', 'and on'), '/about', 'and on'],
  ]

describe('space dev', () => {
  test('shows at once what was saved, in whatever way', async () => {
    const site = await dev(folder)
    const next = await site.listen()
    for (const [how, save, at, shown] of SAVES) {
      await save()
      // Several steps can be several changes.
      let response = await site.open(at)
      while (!response.text.includes(shown)) {
        await next()
        response = await site.open(at)
      }
      expect([how, response.text]).toEqual([how, expect.stringContaining(shown)])
    }
  })

  test('tells an open document which state it shows', async () => {
    const site = await dev(folder)
    const next = await site.listen()
    await write('pages/about.liquid', 'changed')
    expect((await site.open('/about')).text).toContain(`data-revision="${await next()}"`)
  })

  test('explains a mistake in the page and on the terminal, and serves the other pages', async () => {
    const site = await dev(folder)
    const next = await site.listen()
    await write('pages/about.liquid', '<p>\n{% if x %}</p>')
    await next()
    const { status, headers, text } = await site.open('/about')
    expect([status, headers['x-template-error']]).toEqual([200, 'syntax'])
    expect(text).toContain('This page’s template has a syntax error')
    expect(text).not.toContain('Open in the editor')
    expect(text).toContain('data-problems="pages/about.liquid:2:1 {% if %} is never closed.')
    expect(site.notes).toEqual([expect.stringContaining('pages/about.liquid:2:1 {% if %} is never closed.')])
    expect((await site.open('/')).text).toContain('home nav Title')
    await write('data/site.json', '{"title" 1}')
    await next()
    expect(site.notes.at(-1)).toBe('data/site.json:1:10 A colon is missing after the key.')
    expect((await site.open('/')).text).toContain('data-problems="data/site.json:1:10 A colon is missing')
  })

  test('runs no script in a static page but its own, and serves files as they are now', async () => {
    await write('pages/about.liquid', '<script>alert(1)</script><img src="{{ files[0].url }}">')
    const site = await dev(folder)
    const response = await site.open('/about')
    expect(response.text).not.toContain('alert(1)')
    expect(policyOf(response)['script-src']).toMatch(/^'sha256-[^']+'$/)
    const host = /http:\/\/(\w+\.files\.localhost)/.exec(response.text)![1]!
    const first = await site.open('/', { host })
    expect([first.text, first.headers['cache-control']]).toEqual(['one', 'no-cache'])
    const range = await site.open('/', { host, headers: { range: 'bytes=1-' } })
    expect([range.status, range.text, range.headers['content-range']]).toEqual([206, 'ne', 'bytes 1-2/3'])
    // Without waiting for the folder to be read again.
    await write('files/note.txt', 'longer')
    expect((await site.open('/', { host })).text).toBe('longer')
    await rm(file('files/note.txt'))
    expect((await site.open('/', { host })).status).toBe(404)
  })

  test('answers for the names of this computer only', async () => {
    const site = await dev(folder)
    const hosts = Object.entries({
      'evil.example': 421,
      'localhost.evil.example': 421,
      'posts.localhost': 421,
      'preview-abc.pages.localhost': 421,
      'localhost.': 421,
      'other.sites.localhost': 404,
      '127.0.0.1': 302,
      '[::1]:8080': 302,
    })
    for (const [host, expected] of hosts) {
      const { status, text } = await site.open('/about', { host })
      expect([host, status]).toEqual([host, expected])
      expect(text).not.toContain('<p>about</p>')
    }
  })

  test('answers GET and HEAD only', async () => {
    const site = await dev(folder)
    expect((await site.open('/', { method: 'POST', body: 'x' })).status).toBe(405)
    const { text, headers } = await site.open('/', { method: 'HEAD' })
    expect([text, headers['content-length']]).toEqual([
      '',
      String(Buffer.byteLength((await site.open('/')).text)),
    ])
  })

  test('takes another port if the usual one is taken, but not in place of one that was asked for', async () => {
    const other = createServer()
    const taken = await new Promise<boolean>(resolve => {
      other.once('error', () => resolve(false)).listen(4747, '127.0.0.1', () => resolve(true))
    })
    const site = await dev(folder, '--open')
    expect(site.port).not.toBe(4747)
    expect(computer.opened).toEqual([`http://localhost:${site.port}/`])
    expect(await computer.space('', ['dev', '--port', String(site.port)], { cwd: folder })).toEqual({
      code: 1,
      out: '',
      err: `Port ${site.port} is in use; choose another one, or leave out --port.\n`,
    })
    if (taken) other.close()
    expect(await site.stop()).toBe(0)
  })

  test.for([
    ['--port', 'x'],
    ['--port', '65536'],
  ])('refuses %s %s', async argv => {
    expect(await computer.space('', ['dev', ...argv], { cwd: folder })).toMatchObject({ code: 2 })
  })

  test('says that a folder is no site', async () => {
    await rm(file('space.json'))
    expect(await computer.space('', ['dev'], { cwd: folder })).toMatchObject({
      code: 1,
      err: expect.stringContaining('This folder is not a site'),
    })
  })
})
