/**
 * `node test/bench/hostile.ts [seconds]`: how long others wait while three hostile pages are being opened all the time.
 * The service runs in a process of its own, with two evaluating processes.
 */
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { freePort } from '../support/program.ts'
import type { HostileReady } from './hostile/server.ts'

const SECONDS = Number(process.argv[2] ?? 15)
const port = await freePort()
const child = fork(new URL('./hostile/server.ts', import.meta.url), [String(port)])
const [ready] = (await once(child, 'message')) as [HostileReady]
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

const get = (host: string, path: string, key?: string) =>
  new Promise<{ status: number; ms: number; error: string }>((resolve, reject) => {
    const start = performance.now()
    const headers = { host, ...(key ? { authorization: `Bearer ${key}` } : {}) }
    request({ agent, host: '127.0.0.1', port, path, headers }, response => {
      const ms = performance.now() - start
      const error = String(response.headers['x-template-error'] ?? '')
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, ms, error }))
    })
      .on('error', reject)
      .end()
  })

/** Resident memory of the service and its children, in MiB. */
const memory = async () => {
  let total = 0
  const { stdout } = spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })
  for (const pid of [child.pid, ...stdout.trim().split('\n')]) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    total += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
  }
  return Math.round(total / 1024)
}

const spread = (samples: number[]) => {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (part: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1)
  return `${samples.length} answers, median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
}

/** Asks again and again, with a pause between, as long as the others do. */
const keepAsking = async (until: number, pause: number, ask: () => Promise<{ ms: number }>) => {
  const samples: number[] = []
  while (performance.now() < until) {
    samples.push((await ask()).ms)
    await new Promise(resolve => setTimeout(resolve, pause))
  }
  return samples
}

const measure = async (hostile: HostileReady['pages']) => {
  const until = performance.now() + SECONDS * 1000
  const { key, subdomain, pageId } = ready
  const [health, rest, page, ...attacks] = await Promise.all([
    keepAsking(until, 5, () => get('localhost', '/healthz')),
    keepAsking(until, 5, () => get('localhost', `/v1/spaces/${subdomain}/pages/${pageId}`, key)),
    keepAsking(until, 20, () => get(`${subdomain}.sites.localhost`, '/about')),
    ...hostile.map(({ host }) => keepAsking(until, 0, () => get(host, '/'))),
  ])
  console.log(`  /healthz     ${spread(health)}`)
  console.log(`  REST read    ${spread(rest)}`)
  console.log(`  other page   ${spread(page)}`)
  if (attacks.length > 0) console.log(`  hostile page ${spread(attacks.flat())}`)
}

console.log(`Quiet, memory ${await memory()} MiB:`)
await measure([])
for (let first = 0; first < ready.pages.length; first += 3) {
  const three = ready.pages.slice(first, first + 3)
  console.log(`Beside ${three.map(({ name }) => name).join('; ')}:`)
  await measure(three)
  console.log(`  memory       ${await memory()} MiB`)
}
agent.destroy()
child.kill('SIGTERM')
await once(child, 'exit')
