/**
 * `npm run bench`: CPU time per request in the server process, and requests per second, compared with a bare node:http
 * server that runs the same queries on the same database. Absolute figures depend on the machine; compare the ratios.
 * Exits with 1 when requests per second fall below half of a goal, which no busy machine explains.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../../db/embedded/postgres.ts'
import type { Ready } from './requests/server.ts'

const REQUESTS = Number(process.argv[2] ?? 4000)
const CONNECTIONS = 16

interface Load {
  method: string
  path: string
  body?: string
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

const send = ({ port, key }: Ready, { method, path, body }: Load): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
    }
    request({ agent, host: '127.0.0.1', port, method, path, headers }, response => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
      .on('error', reject)
      .end(body)
  })

const repeat = async (server: Ready, load: Load, times: number) => {
  let left = times
  const worker = async () => {
    while (left-- > 0) {
      const status = await send(server, load)
      if (status !== 200) throw new Error(`${load.method} ${load.path} returned ${status}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
}

/** CPU time used by a process, in µs. */
const cpuOf = async (child: ChildProcess): Promise<number> => {
  child.send('cpu')
  const [used] = (await once(child, 'message')) as [number]
  return used
}

const measure = async (child: ChildProcess, server: Ready, load: Load) => {
  await repeat(server, load, REQUESTS / 4)
  const before = await cpuOf(child)
  const start = performance.now()
  await repeat(server, load, REQUESTS)
  const seconds = (performance.now() - start) / 1000
  return { cpu: ((await cpuOf(child)) - before) / REQUESTS, rate: REQUESTS / seconds }
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-bench-'))
const database = await startEmbeddedPostgres({ folder, durable: false })
const { host, port, user } = database.connection
const url = (name: string) =>
  `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`

const start = async (kind: 'ours' | 'bare', extra: string[]) => {
  const child = fork(new URL(`./requests/${kind}.ts`, import.meta.url), [url('postgres'), ...extra])
  const [ready] = (await once(child, 'message')) as [Ready]
  return { child, ready }
}

const ours = await start('ours', [])
const bare = await start('bare', [ours.ready.key, ours.ready.pageId])
const space = '/v1/spaces/bench'
/** With the goal: requests per second, as a multiple of the bare server's. */
const loads: [name: string, goal: number, Load][] = [
  ['GET page', 1, { method: 'GET', path: `${space}/pages/${ours.ready.pageId}` }],
  [
    'PUT data',
    0.8,
    { method: 'PUT', path: `${space}/data/record`, body: '{"value":{"title":"Open day","places":12}}' },
  ],
]
console.log(`${REQUESTS} requests each, ${CONNECTIONS} connections, ${os.cpus().length} cores`)
for (const [name, goal, load] of loads) {
  const a = await measure(ours.child, ours.ready, load)
  const b = await measure(bare.child, bare.ready, load)
  const line = (who: string, { cpu, rate }: typeof a) =>
    `${who} ${cpu.toFixed(0)} µs CPU, ${rate.toFixed(0)}/s`
  const ratio = a.rate / b.rate
  console.log(
    `${name}: ${line('ours', a)}; ${line('bare', b)}; rate ${ratio.toFixed(2)} (goal ${goal}), CPU ${(a.cpu / b.cpu).toFixed(2)}`,
  )
  if (ratio < goal / 2) process.exitCode = 1
}
agent.destroy()
for (const { child } of [ours, bare]) {
  child.disconnect()
  await once(child, 'exit')
}
await database.stop()
await rm(folder, { recursive: true, force: true })
