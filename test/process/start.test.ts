import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, type Program, run } from '../support/program.ts'

let folder: string
let port: number
let service: Program

const environment = () => ({ PORT: String(port), DATA_DIR: folder })

const start = async () => {
  service = run('server/main.mjs', environment())
  await service.waitForOutput(/Demo site {2}\S+\n[\s\S]*demo-key/)
}

const ROOT = path.join(import.meta.dirname, '../..')

/**
 * Returns the size and modification time of each source file, by path. Files that `npm run build` creates are not
 * sources.
 */
const sources = async (): Promise<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const name of ['db', 'routers', 'facades', 'server', 'docs'])
    for (const entry of await readdir(path.join(ROOT, name), { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name)
      if (!entry.isFile() || file.includes(`${path.sep}dist${path.sep}`)) continue
      const { size, mtimeMs } = await stat(file)
      found[path.relative(ROOT, file)] = `${size} bytes, ${mtimeMs}`
    }
  return found
}

let before: Record<string, string>

beforeAll(async () => {
  before = await sources()
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-start-'))
  port = await freePort()
  await start()
})
afterAll(async () => {
  await service.end('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/** Requests an address from the local service, without resolving its host name. */
const open = (address: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { host, pathname } = new URL(address)
    request({ host: '127.0.0.1', port, path: pathname, headers: { host } }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
      .on('error', reject)
      .end()
  })

/** Creates a page. The request is like the example that the service prints on its first start. */
const createPage = async (slug: string, key: string) => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/spaces/garden/pages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ slug, html: '<h1>Hello from {{ space.name }}</h1>', kind: 'static' }),
  })
  return { status: response.status, page: (await response.json()) as { url: string } }
}

const keyIn = (text: string) => /ss_sk_\w+/.exec(text)?.[0] ?? ''

test('the example request printed on the first start creates a page', async () => {
  const { status, page } = await createPage('hello', keyIn(service.output()))
  expect(status).toBe(201)
  const opened = await open(page.url)
  expect(opened.status).toBe(200)
  expect(opened.text).toContain('Hello from The Garden Club')
})

test('the pages of the demo show its data', async () => {
  const { text } = await open(`http://garden.sites.localhost:${port}/about`)
  expect(text).toContain('<h1>About us</h1>')
})

test('the printed link signs in once', async () => {
  const token = /admin\/link#(\S+)/.exec(service.output())?.[1]
  const signIn = () =>
    fetch(`http://127.0.0.1:${port}/trpc/sessions.createFromLink`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
  expect((await signIn()).status).toBe(200)
  expect((await signIn()).status).toBe(401)
})

test('a second start with the same data folder is rejected, and the error says why', async () => {
  const second = run('server/main.mjs', { ...environment(), PORT: String(await freePort()) })
  expect(await second.end()).toBe(1)
  expect(second.log()).toMatch(/in use by a running server/)
})

test('a start on a taken port is rejected, and the error suggests another port', async () => {
  const other = await mkdtemp(path.join(os.tmpdir(), 'space-site-start-'))
  const second = run('server/main.mjs', { ...environment(), DATA_DIR: other })
  expect(await second.end()).toBe(1)
  expect(second.log()).toContain(`PORT=${port + 1}.`)
  await rm(other, { recursive: true, force: true })
})

test('the command demo-key creates a key while the service runs', async () => {
  const maker = run('server/main.mjs', environment(), ['demo-key'])
  expect(await maker.end()).toBe(0)
  expect((await createPage('by-another-key', keyIn(maker.output()))).status).toBe(201)
})

test('secrets are never logged', () => {
  expect(service.log()).not.toMatch(/ss_sk_\w{20}/)
  expect(service.log()).not.toContain(/admin\/link#(\S+)/.exec(service.output())?.[1])
})

/** Whether the service accepts a new connection. */
const accepts = () =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })

test('a stopping service completes open requests, and keeps all data for the next start', async () => {
  const key = keyIn(service.output())
  const body = JSON.stringify({ slug: 'last', html: 'x', kind: 'static' })
  const half = Math.floor(body.length / 2)
  const status = new Promise<number | undefined>((resolve, reject) => {
    const req = request(
      {
        host: '127.0.0.1',
        port,
        path: '/v1/spaces/garden/pages',
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'content-length': body.length,
          expect: '100-continue',
        },
      },
      response => {
        response.resume()
        resolve(response.statusCode)
      },
    ).on('error', reject)
    const stopHalfway = async () => {
      req.write(body.slice(0, half))
      service.process.kill('SIGTERM')
      await expect.poll(accepts).toBe(false)
      req.end(body.slice(half))
    }
    // The service asks for the body as soon as it begins to handle the request.
    req.on('continue', () => void stopHalfway().catch(reject))
    req.flushHeaders()
  })
  expect(await status).toBe(201)
  expect(await service.end()).toBe(0)
  // When the embedded database stops, it logs a FATAL line for each connection that is still open.
  expect(service.log()).not.toContain('FATAL')

  await start()
  expect(service.output()).not.toMatch(/ss_sk_/)
  for (const slug of ['hello', 'last'])
    expect((await open(`http://garden.sites.localhost:${port}/${slug}`)).status).toBe(200)
})

test('the tests above have changed no source file', async () => {
  expect(Object.keys(before).length).toBeGreaterThan(300)
  expect(await sources()).toEqual(before)
})
