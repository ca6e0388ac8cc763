/**
 * `node test/bench/hostile.ts [seconds]`: how long others wait while three hostile pages are being opened all the time,
 * and how soon the memory comes back. The service runs in a process of its own, with two evaluating processes. Asked in
 * the same seconds and at the same rates are two bare node:http servers, one that does nothing and one that sends the
 * queries of the REST read: their waits are the machine's. Everything is asked at rates of its own, and each hostile page
 * more often than all processes together could evaluate it.
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
/** Memory counts as back when this much of what it was is held, within so many seconds. */
const BACK = { share: 1.1, patience: 60 }
/** What is asked before anything is measured, so that a fresh process's first answers are not among the measured. */
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

const show = (what: string, samples: Samples, machine?: Samples) => {
  const at = (part: number) => `${percentile(samples, part).toFixed(1)} ms`
  const times = machine ? percentile(samples, 0.99) / percentile(machine, 0.99) : 0
  const beside = machine ? `, ${times.toFixed(1)} times the bare server’s` : ''
  console.log(`  ${what.padEnd(16)} median ${at(0.5)}, p99 ${at(0.99)}${beside}, longest ${at(1)}`)
}

const collect = async () => {
  child.send('collect')
  await once(child, 'message')
}

/** Asks for everything for so many seconds. */
const ask = (seconds: number, hostile: HostileReady['pages'] = []) => {
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
  const [bare, health, queries, read, page, ...attacks] = await ask(SECONDS, hostile)
  const after = await coreTimeOf(child.pid!)
  const share = (ms: number) => `${(ms / SECONDS / 10).toFixed(0)} %`
  console.log(
    `  serving          ${share(after.used - before.used)} of the time, ${share(after.waited - before.waited)} waiting for a core`,
  )
  show('bare server', bare)
  show('/healthz', health, bare)
  show('bare, querying', queries)
  show('REST read', read, queries)
  show('other page', page, queries)
  if (attacks.length > 0) show('hostile page', attacks.flat())
}

await ask(WARM_UP_SECONDS)
console.log(`${os.cpus().length} cores, load ${os.loadavg()[0]?.toFixed(1)}. Quiet:`)
await measure()
await collect()
const tell = ({ own, children, total }: Awaited<ReturnType<typeof memoryOf>>) =>
  `${total} MiB (${own} of the service, ${children} of its children)`
const before = await memoryOf(child.pid!)
console.log(`  memory           ${tell(before)}`)
for (let first = 0; first < ready.pages.length; first += 3) {
  const three = ready.pages.slice(first, first + 3)
  console.log(`Beside ${three.map(({ name }) => name).join('; ')}:`)
  await measure(three)
  const after = await memoryOf(child.pid!)
  await collect()
  const seconds = await secondsUntil(child.pid!, before.total * BACK.share, BACK.patience)
  const back = seconds === null ? `not back after ${BACK.patience} s` : `back after ${seconds.toFixed(1)} s`
  console.log(`  memory           ${tell(after)}, ${back}: ${tell(await memoryOf(child.pid!))}`)
}
endProbes()
for (const bare of [idle, querying]) bare.disconnect()
child.kill('SIGTERM')
await once(child, 'exit')
await database.stop()
await rm(folder, { recursive: true, force: true })
