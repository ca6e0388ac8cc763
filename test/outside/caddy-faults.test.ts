/** Behind Caddy with the documented configuration, the service still serves and explains what it can. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount, type TestAccount } from '../faults/support/account.ts'
import { type Call, call } from '../faults/support/http.ts'
import { type ServiceProcess, startProgram } from '../faults/support/service.ts'
import { freePort } from '../support/program.ts'
import { proxies } from './support/proxies.ts'

let service: ServiceProcess
let proxy: Awaited<ReturnType<typeof proxies.Caddy>>
let publicPort: number
let account: TestAccount

/** More than any disk has free, so that the service refuses writes. */
const FULL = { MIN_FREE_DISK_MIB: '1000000000' }

beforeAll(async () => {
  publicPort = await freePort()
  const settings = {
    API_ROOT: `http://localhost:${publicPort}`,
    SITE_DOMAIN: `sites.localhost:${publicPort}`,
    PAGES_DOMAIN: `pages.localhost:${publicPort}`,
    FILES_DOMAIN: `files.localhost:${publicPort}`,
    POSTS_DOMAIN: `posts.localhost:${publicPort}`,
    TRUSTED_PROXIES: 'loopback',
    RENDER_PROCESSES: '1',
    BACKUP_HOURS: '0',
  }
  const writable = await startProgram(settings)
  account = await createAccount(writable.port, 'cautious')
  await call(writable.port, write('home'))
  await writable.end('SIGTERM')
  service = await startProgram({ ...settings, ...FULL }, writable.folder)
  proxy = await proxies.Caddy(publicPort, Array(4).fill(service.port) as number[])
})
afterAll(async () => {
  await proxy.stop()
  await service.remove()
})

const write = (slug: string): Call => ({
  path: `/v1/spaces/${account.subdomain}/pages`,
  headers: { host: `localhost:${publicPort}`, ...account.key },
  body: JSON.stringify({ slug, kind: 'static', html: '<p>x</p>' }),
})
const page = (): Call => ({
  path: '/home',
  headers: { host: `${account.subdomain}.sites.localhost:${publicPort}` },
})

test('while the disk is full, pages are served, and a write gets the explanation of the service', async () => {
  expect((await call(service.port, { path: '/readyz' })).text).toContain('read-only')
  expect((await call(publicPort, page())).text).toContain('<p>x</p>')
  const { status, text } = await call(publicPort, write('other'))
  expect([status, JSON.parse(text)]).toMatchObject([503, { code: 'unavailable', status: 503 }])
})

/** Sends a signal to all processes of the embedded database. */
const signalDatabase = async (signal: NodeJS.Signals) => {
  const [line] = (await readFile(path.join(service.folder, 'data/postmaster.pid'), 'utf8')).split('\n')
  const children = await readFile(`/proc/${line}/task/${line}/children`, 'utf8')
  for (const pid of [line, ...children.trim().split(' ')]) process.kill(Number(pid), signal)
}

test('while the database does not respond, a page gets the 503 of the service', async () => {
  await signalDatabase('SIGSTOP')
  try {
    const { status, text, headers } = await call(publicPort, page())
    expect(status).toBe(503)
    expect(headers['retry-after']).toBeDefined()
    expect(text).toContain('<html')
  } finally {
    await signalDatabase('SIGCONT')
  }
})
