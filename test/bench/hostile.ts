/**
 * `node test/bench/hostile.ts [seconds]`: how long others wait while three hostile pages are being opened all the time,
 * and how soon the memory comes back. The service runs in a process of its own, with two evaluating processes; asked
 * in the same seconds and at the same rate is a bare node:http server, whose waits are the machine's. Everything is
 * asked at fixed rates, and each hostile page more often than all processes together could evaluate it.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import { freePort } from '../support/program.ts'
import { coreTimeOf } from './hostile/core-time.ts'
import { memoryOf, secondsUntil } from './hostile/memory.ts'
import { endProbes, percentile, probe, type Samples } from './hostile/probe.ts'
import type { HostileReady } from './hostile/server.ts'

const SECONDS = Number(process.argv[2] ?? 20)
const RATES = { bare: 40, health: 40, rest: 40, page: 20, hostile: 10 }
/** Memory counts as back when this much of what it was is held, within so many seconds. */
const BACK = { share: 1.1, patience: 60 }

const port = await freePort()
const child = fork(new URL('./hostile/server.ts', import.meta.url), [String(port)])
const [ready] = (await once(child, 'message')) as [HostileReady]
const bare = fork(new URL('./hostile/bare.ts', import.meta.url))
const [barePort] = (await once(bare, 'message')) as [number]

const show = (what: string, samples: Samples, machine?: Samples) => {
  const at = (part: number) => percentile(samples, part).toFixed(1)
  const ours = machine ? percentile(samples, 0.99) - percentile(machine, 0.99) : 0
  const beside = machine ? `, ${ours.toFixed(1)} ms beyond the bare server’s` : ''
  console.log(`  ${what.padEnd(12)} median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms${beside}`)
}

const measure = async (hostile: HostileReady['pages']) => {
  const start = await coreTimeOf(child.pid!)
  const { key, subdomain, pageId } = ready
  const rest = `/v1/spaces/${subdomain}/pages/${pageId}`
  const site = `${subdomain}.sites.localhost`
  const [machine, health, read, page, ...attacks] = await Promise.all([
    probe({ port: barePort, path: '/', perSecond: RATES.bare }, SECONDS),
    probe({ port, path: '/healthz', perSecond: RATES.health }, SECONDS),
    probe({ port, path: rest, key, perSecond: RATES.rest }, SECONDS),
    probe({ port, host: site, path: '/about', perSecond: RATES.page }, SECONDS),
    ...hostile.map(({ host }) => probe({ port, host, path: '/', perSecond: RATES.hostile }, SECONDS)),
  ])
  const end = await coreTimeOf(child.pid!)
  const share = (ms: number) => `${(ms / SECONDS / 10).toFixed(0)} %`
  console.log(
    `  serving      ${share(end.used - start.used)} of the time, ${share(end.waited - start.waited)} waiting for a core`,
  )
  show('bare server', machine)
  show('/healthz', health, machine)
  show('REST read', read, machine)
  show('other page', page, machine)
  if (attacks.length > 0) show('hostile page', attacks.flat())
}

console.log(`${os.cpus().length} cores, load ${os.loadavg()[0]?.toFixed(1)}. Quiet:`)
await measure([])
const tell = ({ own, children, total }: Awaited<ReturnType<typeof memoryOf>>) =>
  `${total} MiB (${own} of the service, ${children} of its children)`
const before = await memoryOf(child.pid!)
console.log(`  memory       ${tell(before)}`)
for (let first = 0; first < ready.pages.length; first += 3) {
  const three = ready.pages.slice(first, first + 3)
  console.log(`Beside ${three.map(({ name }) => name).join('; ')}:`)
  await measure(three)
  const after = await memoryOf(child.pid!)
  const seconds = await secondsUntil(child.pid!, before.total * BACK.share, BACK.patience)
  const back = seconds === null ? `not back after ${BACK.patience} s` : `back after ${seconds.toFixed(1)} s`
  console.log(`  memory       ${tell(after)}, ${back}: ${tell(await memoryOf(child.pid!))}`)
}
endProbes()
bare.disconnect()
child.kill('SIGTERM')
await once(child, 'exit')
