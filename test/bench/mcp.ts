/**
 * `node test/bench/mcp.ts [calls]`: measures the CPU time of a tool call in each protocol version and of the same
 * operation over REST, in one process. Absolute figures depend on the machine; compare the ratios. The protocols take
 * turns, and each figure is the median of its turns. With fewer calls, some code is measured before it is optimized.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../../db/embedded/postgres.ts'
import type { Ready } from './requests/server.ts'

const CALLS = Number(process.argv[2] ?? 20_000)
const ROUNDS = 15
const CONNECTIONS = 8

interface Load {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

const send = ({ port, key }: Ready, { method, path, headers, body }: Load): Promise<void> =>
  new Promise((resolve, reject) => {
    const all = {
      authorization: `Bearer ${key}`,
      ...headers,
      ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
    }
    request({ agent, host: '127.0.0.1', port, method, path, headers: all }, response => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${method} ${path} returned ${response.statusCode}`))
      })
    })
      .on('error', reject)
      .end(body)
  })

const repeat = async (server: Ready, load: Load, times: number) => {
  let left = times
  const worker = async () => {
    while (left-- > 0) await send(server, load)
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
  const before = await cpuOf(child)
  await repeat(server, load, CALLS / ROUNDS)
  return ((await cpuOf(child)) - before) / (CALLS / ROUNDS)
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

const META = 'io.modelcontextprotocol/'
const accept = 'application/json, text/event-stream'

const initialized = (method: string, params: object): Load => ({
  method: 'POST',
  path: '/mcp',
  headers: { accept, 'mcp-protocol-version': '2025-11-25' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})

const stateless = (method: string, params: { name?: string }): Load => ({
  method: 'POST',
  path: '/mcp',
  headers: {
    accept,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: { [`${META}protocolVersion`]: '2026-07-28', [`${META}clientCapabilities`]: {} },
    },
  }),
})

const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-bench-'))
const database = await startEmbeddedPostgres({ folder, durable: false })
const { host, port, user } = database.connection
const url = `postgresql://${user}@localhost:${port}/postgres?host=${encodeURIComponent(host)}`
const child = fork(new URL('./requests/ours.ts', import.meta.url), [url])
const [server] = (await once(child, 'message')) as [Ready]

const space = '/v1/spaces/bench'
const record = { value: { title: 'Open day', places: 12 } }
/** A line of a page, with characters that JSON escapes. */
const LINE = '<li class="plant">{{ data.plants[0].name }} &amp; more</li>\n'

/** Creates a page of `bytes` bytes. Returns a title, and for each protocol the request that reads the page. */
const readPage = async (bytes: number): Promise<[string, Record<string, Load>]> => {
  const html = LINE.repeat(bytes / LINE.length)
  const response = await fetch(`http://127.0.0.1:${server.port}${space}/pages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ slug: `of-${bytes}`, html }),
  })
  const { id } = (await response.json()) as { id: string }
  const call = { name: 'get_page', arguments: { page_id: id } }
  return [
    `read a page of ${bytes / 1000} kB`,
    {
      REST: { method: 'GET', path: `${space}/pages/${id}`, headers: {} },
      '2025-11-25': initialized('tools/call', call),
      '2026-07-28': stateless('tools/call', call),
    },
  ]
}

const put = { name: 'put_data', arguments: { key: 'record', ...record } }
const comparisons: [string, Record<string, Load>][] = [
  await readPage(1_000),
  await readPage(20_000),
  await readPage(200_000),
  [
    'write a record',
    {
      REST: { method: 'PUT', path: `${space}/data/record`, headers: {}, body: JSON.stringify(record) },
      '2025-11-25': initialized('tools/call', put),
      '2026-07-28': stateless('tools/call', put),
    },
  ],
  [
    'list the tools, compared with reading a page through REST',
    {
      REST: { method: 'GET', path: `${space}/pages/${server.pageId}`, headers: {} },
      '2025-11-25': initialized('tools/list', {}),
      '2026-07-28': stateless('tools/list', {}),
    },
  ],
]

console.log(
  `${CALLS} calls, medians of ${ROUNDS} rounds, ${CONNECTIONS} connections, ${os.cpus().length} cores`,
)
for (const [title, loads] of comparisons) {
  const turns = new Map(Object.keys(loads).map(name => [name, [] as number[]]))
  for (const load of Object.values(loads)) await repeat(server, load, CALLS / 3)
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, load] of Object.entries(loads))
      turns.get(name)!.push(await measure(child, server, load))
  const medians = [...turns].map(([name, cpu]) => [name, median(cpu)] as const)
  const rest = medians[0]![1]
  const figures = medians.map(([name, cpu]) => `${name} ${cpu.toFixed(0)} µs (${(cpu / rest).toFixed(2)})`)
  console.log(`${title}: ${figures.join(', ')}`)
}
agent.destroy()
child.disconnect()
await once(child, 'exit')
await database.stop()
await rm(folder, { recursive: true, force: true })
