/**
 * `node test/bench/hostile.ts [seconds]`: measures the latency of other requests while three hostile pages are
 * requested continuously, and how soon the service releases memory afterwards. The service runs in its own process
 * with two renderer processes. Two bare node:http servers receive requests at the same rate: one does nothing, the
 * other runs the SQL queries of a REST read. Their latency shows how much of the delay comes from the machine. Each
 * hostile page is requested more often than all processes together can evaluate it.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../../db/embedded/postgres.ts'
import { freePort } from '../support/program.ts'
import { coreTimeOf } from './hostile/core-time.ts'
import { memoryOf, secondsUntil } from './hostile/memory.ts'
import { endProbes, percentile, probe, type Samples } from './hostile/probe.ts'
import type { HostileReady } from './hostile/server.ts'
import type { Ready } from './requests/server.ts'

const SECONDS = Number(process.argv[2] ?? 60)
const RATES = { quick: 40, page: 20, hostile: 10 }
/** Memory counts as released once it is at most `share` times its original size. `timeout` is in seconds. */
const RETURNED = { share: 1.1, timeout: 60 }
/** Seconds of requests before the measurement, so that the slow first responses of a new process do not count. */
const WARM_UP_SECONDS = 5

const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-hostile-'))
const database = await startEmbeddedPostgres({ folder, durable: false })
const { host, port: databasePort, user } = database.connection
const url = `postgresql://${user}@localhost:${databasePort}/postgres?host=${encodeURIComponent(host)}`

const start = async <Message>(program: string, args: string[]): Promise<[ChildProcess, Message]> => {
  const child = fork(new URL(program, import.meta.url), args, { execArgv: ['--expose-gc', '--no-warnings'] })
  const [message] = (await once(child, 'message')) as [Message]
  return [child, message]
}

const port = await freePort()
const [child, ready] = await start<HostileReady>('./hostile/server.ts', [String(port), url])
const [idle, idlePort] = await start<number>('./hostile/bare.ts', [])
const [querying, { port: queryingPort }] = await start<Ready>('./requests/bare.ts', [
  url,
  ready.key,
  ready.pageId,
])

const print = (what: string, samples: Samples, machine?: Samples) => {
  const at = (part: number) => `${percentile(samples, part).toFixed(1)} ms`
  const times = machine ? percentile(samples, 0.99) / percentile(machine, 0.99) : 0
  const beside = machine ? `, ${times.toFixed(1)} times the bare server’s` : ''
  console.log(`  ${what.padEnd(16)} median ${at(0.5)}, p99 ${at(0.99)}${beside}, longest ${at(1)}`)
}

const collect = async () => {
  child.send('collect')
  await once(child, 'message')
}

/** Sends all kinds of requests for this many seconds. */
const requestAll = (seconds: number, hostile: HostileReady['pages'] = []) => {
  const { key, subdomain, pageId } = ready
  const rest = `/v1/spaces/${subdomain}/pages/${pageId}`
  const site = `${subdomain}.sites.localhost`
  const quick = { perSecond: RATES.quick }
  return Promise.all([
    probe({ port: idlePort, path: '/', ...quick }, seconds),
    probe({ port, path: '/healthz', ...quick }, seconds),
    probe({ port: queryingPort, path: '/', key, ...quick }, seconds),
    probe({ port, path: rest, key, ...quick }, seconds),
    probe({ port, host: site, path: '/about', perSecond: RATES.page }, seconds),
    ...hostile.map(({ host }) => probe({ port, host, path: '/', perSecond: RATES.hostile }, seconds)),
  ])
}

const measure = async (hostile: HostileReady['pages'] = []) => {
  const before = await coreTimeOf(child.pid!)
  const [bare, health, queries, read, page, ...attacks] = await requestAll(SECONDS, hostile)
  const after = await coreTimeOf(child.pid!)
  const share = (ms: number) => `${(ms / SECONDS / 10).toFixed(0)} %`
  console.log(
    `  main process     ${share(after.used - before.used)} of the time, ${share(after.waited - before.waited)} waiting for a core`,
  )
  print('bare server', bare)
  print('/healthz', health, bare)
  print('bare, querying', queries)
  print('REST read', read, queries)
  print('other page', page, queries)
  if (attacks.length > 0) print('hostile page', attacks.flat())
}

await requestAll(WARM_UP_SECONDS)
console.log(`${os.cpus().length} cores, load ${os.loadavg()[0]?.toFixed(1)}. Without hostile pages:`)
await measure()
await collect()
const describe = ({ own, children, total }: Awaited<ReturnType<typeof memoryOf>>) =>
  `${total} MiB (${own} main process, ${children} renderer processes)`
const before = await memoryOf(child.pid!)
console.log(`  memory           ${describe(before)}`)
for (let first = 0; first < ready.pages.length; first += 3) {
  const three = ready.pages.slice(first, first + 3)
  console.log(`Beside ${three.map(({ name }) => name).join('; ')}:`)
  await measure(three)
  const after = await memoryOf(child.pid!)
  await collect()
  const seconds = await secondsUntil(child.pid!, before.total * RETURNED.share, RETURNED.timeout)
  const returned =
    seconds === null ? `not returned after ${RETURNED.timeout} s` : `returned after ${seconds.toFixed(1)} s`
  console.log(`  memory           ${describe(after)}, ${returned}: ${describe(await memoryOf(child.pid!))}`)
}
endProbes()
for (const bare of [idle, querying]) bare.disconnect()
child.kill('SIGTERM')
await once(child, 'exit')
await database.stop()
await rm(folder, { recursive: true, force: true })
