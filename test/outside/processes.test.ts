import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createAccount, type TestAccount } from '../faults/support/account.ts'
import { type Call, call, type Reply, repeat, tally } from '../faults/support/http.ts'
import { type ServiceProcess, startProgram } from '../faults/support/service.ts'
import { copyDatabase } from '../support/database.ts'
import { freePort } from '../support/program.ts'
import { proxies } from './support/proxies.ts'
import { startRateStore } from './support/rate-store.ts'

const PROCESSES = 4
const MAX_PARTS = 10
const WAIT = { timeout: 120_000 }
/** Timeout of a test that restarts every process, in ms. */
const RESTARTS = 600_000

let store: ChildProcess
let publicPort: number
const services: ServiceProcess[] = []
let account: TestAccount

beforeAll(async () => {
  const storePort = await freePort()
  store = await startRateStore(storePort)
  publicPort = await freePort()
  const settings = {
    DATABASE_URL: await copyDatabase(inject('database')),
    DATABASE_POOL: '5',
    REDIS_URL: `redis://127.0.0.1:${storePort}`,
    API_ROOT: `http://localhost:${publicPort}`,
    SITE_DOMAIN: `sites.localhost:${publicPort}`,
    PAGES_DOMAIN: `pages.localhost:${publicPort}`,
    FILES_DOMAIN: `files.localhost:${publicPort}`,
    POSTS_DOMAIN: `posts.localhost:${publicPort}`,
    TRUSTED_PROXIES: 'loopback',
    CALLS_PER_MINUTE: '1000000',
    SIGN_UP: 'open',
    MAX_PARTS: String(MAX_PARTS),
    RENDER_PROCESSES: '1',
    STOP_DELAY_SECONDS: '10',
  }
  for (let n = 0; n < PROCESSES; n++) services.push(await startProgram(settings))
  account = await createAccount(services[0]!.port, 'manyhands')
  await call(services[0]!.port, post('/pages', { slug: 'home', kind: 'static', html: '<p>x</p>' }))
  await Promise.all(services.map(opensPages))
})
afterAll(async () => {
  await Promise.all(services.map(service => service.remove()))
  store.kill('SIGKILL')
})

/** A request for a page of the site. */
const home = (): Call => ({
  path: '/home',
  headers: { host: `${account.subdomain}.sites.localhost:${publicPort}` },
})

/** Resolves once a process opens pages. On a very busy machine, the first one can be refused, because its renderer starts. */
const opensPages = (service: ServiceProcess) =>
  vi.waitFor(async () => expect((await call(service.port, home())).status).toBe(200), WAIT)

/** Returns a call to a path below the space's address in the API, with the key of the space. */
const inSpace = (path: string, rest: Omit<Call, 'path'> = {}): Call => ({
  ...rest,
  path: `/v1/spaces/${account.subdomain}${path}`,
  headers: { host: `localhost:${publicPort}`, ...account.key, ...rest.headers },
})

const post = (path: string, body: object) => inSpace(path, { body: JSON.stringify(body) })
const put = (path: string, body: object) => ({ ...post(path, body), method: 'PUT' })

/** Sends all calls at once, distributed evenly over the processes. */
const sendToAll = (calls: readonly Call[]) =>
  repeat(calls.length, calls.length, n => call(services[n % PROCESSES]!.port, calls[n]!))

describe('four processes with one database', () => {
  test('create a page only once if all of them receive many calls for it at the same time', async () => {
    const replies = await sendToAll(Array(40).fill(post('/pages', { slug: 'wanted', html: '<p>x</p>' })))
    expect(tally(replies)).toEqual({ 201: 1, 409: 39 })
  })

  test('together never exceed a limit of a space', async () => {
    const calls = Array.from({ length: 40 }, (_, n) => post('/parts', { name: `part-${n}`, html: 'x' }))
    expect(tally(await sendToAll(calls))).toEqual({ 201: MAX_PARTS, 409: 40 - MAX_PARTS })
  })

  test('show visitors the version of a page that another process has just saved', async () => {
    const list = await call(services[0]!.port, inSpace('/pages'))
    const { data } = JSON.parse(list.text) as { data: { id: string; slug: string }[] }
    const { id } = data.find(({ slug }) => slug === 'home')!
    for (let n = 1; n <= 12; n++) {
      const change = { ...post(`/pages/${id}`, { html: `<p>edition ${n}</p>` }), method: 'PATCH' }
      expect((await call(services[n % PROCESSES]!.port, change)).status).toBe(200)
      const seen = await call(services[(n + 1) % PROCESSES]!.port, home())
      expect(seen.text).toContain(`edition ${n}<`)
    }
  })

  test('all refuse a key immediately after one of them has revoked it', async () => {
    const { id, secret } = await account.procedure<{ id: string; secret: string }>('keys.issue', {
      subdomain: account.subdomain,
      label: 'short-lived',
      scopes: ['data'],
      expires_in_days: null,
    })
    const read = inSpace('/data', { headers: { authorization: `Bearer ${secret}` } })
    expect(tally(await sendToAll(Array(PROCESSES).fill(read)))).toEqual({ 200: PROCESSES })
    await account.procedure('keys.revoke', { subdomain: account.subdomain, key_id: id })
    expect(tally(await sendToAll(Array(PROCESSES).fill(read)))).toEqual({ 401: PROCESSES })
  })

  test('lose no acknowledged write when one of them is killed', async () => {
    const [killed, ...others] = services as [ServiceProcess, ...ServiceProcess[]]
    const acknowledged = new Map<string, number>()
    const failures: Reply[] = []
    const write = async (service: ServiceProcess, key: string) => {
      for (let n = 1; n <= 60; n++) {
        const reply = await call(service.port, put(`/data/${key}`, { value: n }))
        if (reply.status === 200 || reply.status === 201) acknowledged.set(key, n)
        else if (service === killed) return
        else failures.push(reply)
        if (service === killed && n === 20) void killed.end('SIGKILL')
      }
    }
    await Promise.all(
      services.flatMap((service, n) => ['a', 'b', 'c'].map(name => write(service, `killed-${n}-${name}`))),
    )
    expect(failures).toEqual([])
    for (const [key, value] of acknowledged) {
      const { text } = await call(others[0]!.port, inSpace(`/data/${key}`))
      expect([value, value + 1]).toContain((JSON.parse(text) as { value: number }).value)
    }
    await killed.start()
    await opensPages(killed)
  })
})

/** Functions that return a call: a page of the site, a read, or a write. Each call gets a different number. */
const MIXED: ((n: number) => Call)[] = [
  home,
  () => inSpace('/pages'),
  n => put('/data/counted', { value: n }),
  n => post('/pages', { slug: `p-${n}`, html: '<p>x</p>' }),
  n => post('/files', { name: `${n}.txt`, content: `file ${n}`, encoding: 'text' }),
]

/** Sends mixed calls through the proxy. Returns a function that stops the calls and returns their replies. */
const startTraffic = () => {
  const label = Math.floor(Math.random() * 1e12)
  const stopping = new AbortController()
  const replies: Reply[] = []
  const send = async (request: (n: number) => Call, index: number) => {
    for (let n = label; !stopping.signal.aborted; n += MIXED.length) {
      replies.push(await call(publicPort, request(n + index)))
      await sleep(20)
    }
  }
  const done = Promise.all(MIXED.map(send))
  return async () => {
    stopping.abort()
    await done
    return replies
  }
}

/** Whether a process receives requests other than health checks. */
const isServing = (service: ServiceProcess) => /"\/v1\//.test(service.log())

/** Resolves once a process has received no request for a second. */
const becomesQuiet = async (service: ServiceProcess) => {
  const hasNoNewLine = async () => {
    const before = service.log()
    await sleep(1_000)
    return service.log() === before
  }
  await expect.poll(hasNoNewLine, WAIT).toBe(true)
}

describe.each(Object.entries(proxies))('behind %s with the documented configuration', (name, startProxy) => {
  const open = async () => {
    const proxy = await startProxy(
      publicPort,
      services.map(({ port }) => port),
    )
    onTestFinished(() => proxy.stop())
    return proxy
  }

  test('files of the maximum size arrive, and are served at their own addresses', async () => {
    await open()
    const bytes = randomBytes(10 * 1_048_576)
    const file = { name: 'large.bin', content: bytes.toString('base64'), encoding: 'base64' }
    const stored = await call(publicPort, post('/files', file))
    expect(stored).toMatchObject({ status: 201 })
    const { url } = JSON.parse(stored.text) as { url: string }
    const { host } = new URL(url)
    expect(host).toMatch(new RegExp(`^[a-z0-9]+\\.files\\.localhost:${publicPort}$`))
    const { headers, status } = await call(publicPort, { path: '/', headers: { host }, method: 'HEAD' })
    expect([status, headers['content-length']]).toEqual([200, String(bytes.length)])
  })

  test('bodies that are too large get the error of the service', async () => {
    await open()
    const { status, text } = await call(publicPort, put('/data/large', { value: 'x'.repeat(2_000_000) }))
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([413, 'payload_too_large'])
  })

  // Caddy has ten seconds to notice that a process is stopping, which it asks each second.
  test('no request is dropped while the processes are restarted one at a time', {
    timeout: RESTARTS,
  }, async () => {
    for (const service of services) if (service.hasEnded) await service.start()
    const proxy = await open()
    const endTraffic = startTraffic()
    // Restarting two of the four processes is enough.
    for (const service of services.slice(0, 2)) {
      await proxy.takeOut(service.port)
      if (name === 'nginx') await becomesQuiet(service)
      expect(await service.end('SIGTERM')).toBe(0)
      await service.start()
      await opensPages(service)
      await proxy.putBack(service.port)
      await expect.poll(() => isServing(service), WAIT).toBe(true)
    }
    const counts = tally(await endTraffic())
    expect(Object.keys(counts).toSorted()).toEqual(['200', '201'])
  })
})
