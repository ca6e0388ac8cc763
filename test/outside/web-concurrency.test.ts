import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createAccount, type TestAccount } from '../faults/support/account.ts'
import { type Call, call, type Reply, repeat, tally } from '../faults/support/http.ts'
import { readMetric, type ServiceProcess, startProgram } from '../faults/support/service.ts'
import { childrenOf, isRunning } from '../liquid/process-info.ts'
import { freePort } from '../support/program.ts'
import { startRateStore } from './support/rate-store.ts'

const PROCESSES = 4
const ANONYMOUS_CALLS = 30

let store: ChildProcess
let service: ServiceProcess
let account: TestAccount

/** Reads a metric of each process; NaN while a process does not respond. */
const metrics = (name: string) =>
  Promise.all(Array.from({ length: PROCESSES }, (_, n) => readMetric(service.metricsPort + n, name)))

/** Returns the ids of the processes that serve requests. */
const servingIds = () =>
  childrenOf(service.pid).filter(pid =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server/main.mjs'),
  )

/** Resolves once every process serves requests. */
const becomesComplete = () =>
  vi.waitFor(
    async () => {
      const starts = await metrics('process_start_time_seconds')
      expect(starts.filter(start => start > 0)).toHaveLength(PROCESSES)
    },
    { timeout: 240_000, interval: 50 },
  )

beforeAll(async () => {
  const storePort = await freePort()
  store = await startRateStore(storePort)
  service = await startProgram({
    WEB_CONCURRENCY: String(PROCESSES),
    REDIS_URL: `redis://127.0.0.1:${storePort}`,
    CALLS_PER_MINUTE: '1000000',
    ANONYMOUS_CALLS_PER_MINUTE: String(ANONYMOUS_CALLS),
    RENDER_PROCESSES: '1',
  })
  account = await createAccount(service.port, 'manyhands')
  await becomesComplete()
})
afterAll(async () => {
  await service.remove()
  store.kill('SIGKILL')
})

const createPage = (slug: string): Call => ({
  path: `/v1/spaces/${account.subdomain}/pages`,
  headers: account.key,
  body: JSON.stringify({ slug, kind: 'static', html: `<p>${slug}</p>` }),
})

/** Creates pages on several connections at once until the returned `stop` is called. */
const startWriters = (name: string) => {
  const stopping = new AbortController()
  const replies: Reply[] = []
  const acknowledged: string[] = []
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const slug = `${name}-${writer}-${n}`
      const reply = await call(service.port, createPage(slug))
      replies.push(reply)
      if (reply.status === 201) acknowledged.push(slug)
      await sleep(20)
    }
  })
  return {
    acknowledged,
    stop: async () => {
      stopping.abort()
      await Promise.all(writers)
      return replies
    },
  }
}

/** Returns which of these pages the service does not list. */
const missing = async (slugs: readonly string[]) => {
  const path = `/v1/spaces/${account.subdomain}/pages`
  const { text } = await call(service.port, { path, headers: account.key })
  const { data } = JSON.parse(text) as { data: { slug: string }[] }
  const stored = new Set(data.map(({ slug }) => slug))
  return slugs.filter(slug => !stored.has(slug))
}

test('all processes serve requests, with one database', async () => {
  const requests = 'space_site_http_requests_total\\{facade="v1",method="POST",status="201"\\}'
  let sent = 0
  const created: string[] = []
  // Idle processes take connections in any order, so it may take several rounds until every process has received one.
  const busy = async () => {
    const replies = await repeat(40, 16, async () => {
      const slug = `spread-${sent++}`
      const reply = await call(service.port, createPage(slug))
      if (reply.status === 201) created.push(slug)
      return reply
    })
    expect(tally(replies)).toEqual({ 201: 40 })
    return (await metrics(requests)).filter(count => count > 0)
  }
  await expect.poll(busy).toHaveLength(PROCESSES)
  expect(await missing(created)).toEqual([])
})

test('the processes count calls together', async () => {
  // Earlier rounds and the sign-up use up the limit of their address.
  let host = 8
  const counted = async () => {
    const from = `127.0.0.${++host}`
    const replies = await repeat(2 * ANONYMOUS_CALLS, 8, () =>
      call(service.port, { path: '/trpc/accounts.entry', from }),
    )
    return tally(replies)
  }
  // Polled, because a process counts a call in its own memory if the store takes longer than half a second.
  await expect.poll(counted).toEqual({ 200: ANONYMOUS_CALLS, 429: ANONYMOUS_CALLS })
})

test('when a process is killed under load, the others respond, no write is lost, and it is restarted', async () => {
  const before = servingIds()
  const killed = before[1]!
  const writers = startWriters('killed')
  await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(20)
  process.kill(killed, 'SIGKILL')
  const since = writers.acknowledged.length
  await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(since + 20)
  await expect.poll(() => isRunning(killed)).toBe(false)
  await becomesComplete()
  const statuses = Object.keys(tally(await writers.stop()))
  // Only the connections of the killed process break.
  expect(['201', 'ECONNRESET', 'incomplete']).toEqual(expect.arrayContaining(statuses))
  expect(await missing(writers.acknowledged)).toEqual([])
  expect(servingIds().filter(pid => before.includes(pid))).toHaveLength(PROCESSES - 1)
  expect(servingIds()).toHaveLength(PROCESSES)
})

test('SIGUSR2 restarts one process after the other and drops no request', async () => {
  const before = servingIds()
  const writers = startWriters('restarted')
  await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(20)
  process.kill(service.pid, 'SIGUSR2')
  await expect.poll(() => service.log(), { timeout: 240_000 }).toContain('Restarted all processes')
  expect(Object.keys(tally(await writers.stop()))).toEqual(['201'])
  expect(await missing(writers.acknowledged)).toEqual([])
  expect(servingIds().filter(pid => before.includes(pid))).toEqual([])
  expect(servingIds()).toHaveLength(PROCESSES)
})

test('on SIGTERM, all processes answer the requests in flight and stop', async () => {
  const ids = servingIds()
  expect(ids).toHaveLength(PROCESSES)
  const writers = startWriters('stopped')
  await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(20)
  expect(await service.end('SIGTERM')).toBe(0)
  expect(ids.filter(isRunning)).toEqual([])
  const statuses = Object.keys(tally(await writers.stop()))
  expect(['201', 'ECONNREFUSED', 'ECONNRESET']).toEqual(expect.arrayContaining(statuses))
  await service.start()
  expect(await missing(writers.acknowledged)).toEqual([])
})
