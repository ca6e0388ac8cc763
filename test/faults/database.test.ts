import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseLocation } from '../../db/database.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { childrenOf } from '../liquid/process-info.ts'
import { firstSdk, secondSdk } from '../mcp/support/sdk-clients.ts'
import { startTestService, type TestService, type TestSpace } from '../support/test-service.ts'
import { measureQuietTime } from './support/quiet-time.ts'

/** The log's number for the level `warn`. */
const WARN = 40

/**
 * Maximum time in ms from the start of a fault until calls get a 503, and from the end of the fault until
 * everything works again.
 */
const MAX_SILENCE = 2_000
const MAX_RECOVERY = 30_000

/** How much longer the service waits for a silent database while the machine's load average is high, in ms. */
const PATIENCE = 3_600
/**
 * A busy machine can delay the service itself. The service then waits longer for the database: at most this many ms
 * longer for each ms of the delay.
 */
const DELAYED = 6

let folder: string
let service: TestService
let space: TestSpace

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-faults-'))
  service = await startTestService({
    databaseUrl: undefined,
    dataFolder: folder,
    trustedProxies: ['loopback'],
  })
  space = await service.createSpace()
  await space.api.put('/data/kept', { value: 1 })
})
afterEach(() => comeBack())
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

const postmaster = async () =>
  Number((await readFile(path.join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])

/**
 * Sends a signal to the server and to all its backends, because each has its own process group. Suspends the server
 * first, so that it starts no further backend that would miss the signal.
 */
const signalServer = async (signal: NodeJS.Signals) => {
  const pid = await postmaster()
  await suspend(pid)
  const backends = childrenOf(pid)
  if (signal === 'SIGSTOP') return void (await Promise.all(backends.map(suspend)))
  for (const process_ of [...backends, pid]) process.kill(process_, signal)
}

/** Suspends a process, and resolves once it has stopped running. */
const suspend = async (pid: number) => {
  process.kill(pid, 'SIGSTOP')
  await expect
    .poll(() => readFile(`/proc/${pid}/status`, 'utf8'), { interval: 5 })
    .toMatch(/^State:\s+[TZX]/m)
}

/** Resolves once writes work again. Fails if that takes too long. */
const comeBack = async () => {
  const quietTime = measureQuietTime()
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(100)) {
    const { status } = await space.api.put('/data/probe', { value: Date.now() })
    expect(quietTime()).toBeLessThan(MAX_RECOVERY)
    if (status === 200) return
  }
  throw new Error('the service did not come back')
}

const isLoaded = () => os.loadavg()[0]! > 2 * os.availableParallelism()

const expectUnavailable = async () => {
  const quietTime = measureQuietTime(DELAYED)
  const usage = process.cpuUsage()
  const wasLoaded = isLoaded()
  const responses = await Promise.all([
    space.api.get('/data/kept'),
    space.api.put('/data/lost', { value: 1 }),
    // Without keep-alive, because the service could close an idle connection just when it is reused.
    fetch(`${service.root}/readyz`, { headers: { connection: 'close' } }),
    fetch(`${service.root}/`, { headers: { connection: 'close' } }),
  ])
  // Add the CPU time of the service and the test to the limit, because that time depends on the machine.
  const { user, system } = process.cpuUsage(usage)
  const limit = MAX_SILENCE + (wasLoaded || isLoaded() ? PATIENCE : 0) + (user + system) / 1000
  const duration = quietTime()
  process.stdout.write(`frozen: refused after ${duration} of ${Math.round(limit)} ms without contention\n`)
  expect(duration).toBeLessThan(limit)
  expect(responses.map(({ status }) => status)).toEqual([503, 503, 503, 503])
  const [read, , readiness] = responses
  expect(await readiness.json()).toEqual({ status: 'no database', missing: ['database'] })
  expect(read.body).toMatchObject({ code: 'unavailable', status: 503, detail: expect.any(String) })
  expect(Number(read.headers.get('retry-after'))).toBeGreaterThan(0)
}

/** Reads and writes on eight connections until `stop` is called. */
const callUntilStopped = () => {
  const statuses = new Set<number>()
  const stopping = new AbortController()
  let slowest = 0
  const loops = Array.from({ length: 8 }, async (_, loop) => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const since = performance.now()
      const { status } =
        n % 2 ? await space.api.get('/data/kept') : await space.api.put(`/data/load-${loop}`, { value: n })
      statuses.add(status)
      slowest = Math.max(slowest, performance.now() - since)
    }
  })
  return {
    statuses,
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
      return { statuses, slowest }
    },
  }
}

/** Warnings in the log about connections that the database server refused while it started or stopped. */
const refusedConnections = () =>
  service.log.filter(
    ({ level, line }) => Number(level) >= WARN && /the database system is/.test(String(line)),
  )

/** The logged failures and recoveries of the database, in order. */
const outages = () =>
  service.log.map(({ msg }) => msg).filter(msg => /^The database .*respond/.test(String(msg)))

describe('failures of the database', () => {
  test('when the database freezes, every facade returns 503 within two seconds, and works again once the database resumes', async () => {
    const before = outages().length
    await signalServer('SIGSTOP')
    try {
      await expectUnavailable()
      await expectUnavailable()
    } finally {
      await signalServer('SIGCONT')
    }
    await comeBack()
    expect((await space.api.get('/data/kept')).body).toMatchObject({ value: 1 })
    // Each outage is logged once, not for each call. If the machine is busy, a second outage can follow the first one.
    const logged = outages().slice(before)
    expect(logged.length).toBeGreaterThan(0)
    expect(logged).toEqual(
      logged.map((_, n) => `The database ${n % 2 === 0 ? 'does not respond' : 'responds again'}`),
    )
    expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
  })

  test.each([
    ['the first SDK', firstSdk],
    ['the second SDK with a handshake', secondSdk('legacy')],
    ['the second SDK without a handshake', secondSdk({ pin: '2026-07-28' })],
  ])('while the database is frozen, tool calls by a client of %s get error results', async (_, connect) => {
    const address = new URL('/mcp', service.root)
    const secret = await space.key(...SPACE_SCOPES)
    const { client } = await connect(address, secret)
    const calls = [
      { name: 'get_data', arguments: { key: 'kept' } },
      { name: 'put_data', arguments: { key: 'lost', value: 1 } },
    ]
    const callAll = () => Promise.all(calls.map(call => client.callTool(call)))
    await signalServer('SIGSTOP')
    try {
      for (const result of [...(await callAll()), ...(await callAll())])
        expect(result).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('"code":"unavailable"') }, { type: 'text' }],
        })
      await expect(connect(address, secret)).rejects.toThrow(/The database does not respond|HTTP 503/)
    } finally {
      await signalServer('SIGCONT')
    }
    await comeBack()
    for (const result of await callAll()) expect(result).not.toHaveProperty('isError', true)
    await client.close()
  })

  test('while the database is frozen, the proxy learns which names may have a certificate', async () => {
    const { database, verifiedDomains } = service.core
    await sql`
      insert into domains (space_id, name, base, is_main, created_at, verified_at, is_here, next_check_at, checks)
      select id, 'bakery.example', 'bakery.example', false, now(), now(), true, 'infinity', 1
      from space_names where subdomain = ${space.subdomain}`.execute(database)
    await verifiedDomains.refresh()
    const ask = async (name: string) => (await fetch(`${service.root}/_ask?domain=${name}`)).status
    await signalServer('SIGSTOP')
    try {
      await expectUnavailable()
      expect([await ask('bakery.example'), await ask('unknown.example')]).toEqual([200, 404])
    } finally {
      await signalServer('SIGCONT')
    }
    await comeBack()
    expect([await ask('bakery.example'), await ask('unknown.example')]).toEqual([200, 404])
  })

  test('when the database is killed, the service restarts it and no acknowledged write is missing', async () => {
    const written: number[] = []
    const killed = new AbortController()
    const refusals: number[] = []
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !killed.signal.aborted; n++) {
        const { status } = await space.api.put(`/data/writer-${writer}`, { value: n })
        if (status === 200) written[writer] = n
        else refusals.push(status)
      }
    })
    await expect.poll(() => written.filter(n => n > 0).length).toBe(writers.length)
    await signalServer('SIGKILL')
    await sleep(300)
    killed.abort()
    await Promise.all(writers)
    expect(new Set([...refusals, 503])).toEqual(new Set([503]))
    await comeBack()
    for (const [writer, n] of written.entries()) {
      const { body } = await space.api.get(`/data/writer-${writer}`)
      expect(body.value).toBeGreaterThanOrEqual(n)
    }
  })

  test('when the database is slow, calls succeed or get 503', async () => {
    const calls = callUntilStopped()
    // Let the database server run only a sixth of the time.
    for (let pulse = 0; pulse < 10; pulse++) {
      await signalServer('SIGSTOP')
      await sleep(250)
      await signalServer('SIGCONT')
      await sleep(50)
    }
    const { statuses, slowest } = await calls.stop()
    expect([200, 503]).toEqual(expect.arrayContaining([...statuses]))
    // A call that hangs would take minutes; other calls take up to two seconds.
    expect(slowest).toBeLessThan(30_000)
  })

  test('when the database shuts down under load, the service starts it again, and calls succeed or get 503', async () => {
    const calls = callUntilStopped()
    await expect.poll(() => [...calls.statuses]).toContain(200)
    // SIGINT requests a fast shutdown, as an administrator would.
    process.kill(await postmaster(), 'SIGINT')
    await sleep(500)
    await comeBack()
    const { statuses } = await calls.stop()
    expect([200, 503]).toEqual(expect.arrayContaining([...statuses]))
    expect(statuses).toContain(200)
    expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
    // The server writes a line for each connection that it refuses; the service must not log these as warnings.
    expect(refusedConnections()).toEqual([])
  })

  test('when the database terminates its connections, running calls succeed or get 503, and new calls work', async () => {
    const client = new Client({ ...connection(), database: 'space_site' })
    await client.connect()
    const calls = Array.from({ length: 20 }, () => space.api.get('/data/kept'))
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
    await client.end()
    for (const { status } of await Promise.all(calls)) expect([200, 503]).toContain(status)
    await comeBack()
  })
})

/** Returns the settings for a connection from the test to the embedded server. */
const connection = () => {
  const { host, user, port } = service.core.database.location as Extract<DatabaseLocation, { host: string }>
  return { host, user, port }
}
