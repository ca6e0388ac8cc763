/**
 * `node test/bench/history.ts [--short]` measures these operations over HTTP, in large spaces:
 *
 * - It lists 50 of 100,000 changes. The goal is 30 ms.
 * - It changes 200 pages of 20 kB, and undoes the changes in one call. Then it deletes the pages, and undoes the
 *   deletion in one call. The goal for each undo is 2 s.
 * - It imports and exports two spaces: one with 100 MiB of files, and one with 5,000 pages of 20 kB. Meanwhile, it
 *   reads and writes another space. The last lines show how long these reads and writes took, and the peak memory of
 *   the service. `--short` skips this step.
 */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../../db/embedded/postgres.ts'
import { creationLimits, rules } from '../../routers/api/rules.ts'
import { type Packed, pack } from '../transfer/support/archives.ts'
import type { Ready } from './requests/server.ts'

const CHANGES = 100_000
const ITEMS = 500
const LISTS = 100
const PAGES = 200
/** Typical size of a page in bytes. */
const PAGE_BYTES = 20_000
/** Pause after each read and write of the space that is neither imported nor exported, in ms. */
const PAUSE = 50

const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-bench-'))
const database = await startEmbeddedPostgres({ folder })
const { host, port, user } = database.connection
const url = `postgresql://${user}@localhost:${port}/postgres?host=${encodeURIComponent(host)}`
const child = fork(new URL('./requests/ours.ts', import.meta.url), [url])
const [server] = (await once(child, 'message')) as [Ready]
const client = new Client({ connectionString: url })
await client.connect()

const origin = `http://127.0.0.1:${server.port}`
const send = async (address: string, init: RequestInit & { duplex?: 'half' } = {}) => {
  const response = await fetch(origin + address, init)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!response.ok)
    throw new Error(`${address} returned ${response.status}: ${bytes.toString().slice(0, 500)}`)
  return { headers: response.headers, bytes }
}
const json = (bytes: Buffer): unknown => JSON.parse(bytes.toString())

const signIn = await send('/trpc/sessions.create', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ handle: 'bench', password: 'a password for it' }),
})
const cookie = signIn.headers.get('set-cookie')!.split(';')[0]!

const query = async <T>(procedure: string, input: object) => {
  const { bytes } = await send(`/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`, {
    headers: { cookie },
  })
  return (json(bytes) as { result: { data: T } }).result.data
}
const mutate = async <T>(procedure: string, input: object) => {
  const { bytes } = await send(`/trpc/${procedure}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  return (json(bytes) as { result: { data: T } }).result.data
}

const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const started = performance.now()
  const result = await work()
  return [result, performance.now() - started]
}
const at = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!
const ms = (time: number) => (time < 100 ? `${time.toFixed(1)} ms` : `${(time / 1000).toFixed(2)} s`)
const report = (title: string, times: readonly number[]) =>
  console.log(
    times.length === 1
      ? `${title}: ${ms(times[0]!)}`
      : `${title}: median ${ms(at(times, 0.5))}, 99th percentile ${ms(at(times, 0.99))}, slowest ${ms(at(times, 1))}`,
  )

/** Creates a space and returns its subdomain. */
const createSpace = async (subdomain: string) => {
  await mutate('spaces.create', { subdomain, name: subdomain })
  return subdomain
}

const upload = async (subdomain: string, archive: Buffer, parameters: string) => {
  const { bytes } = await send(`/transfer/${subdomain}?${parameters}`, {
    method: 'POST',
    headers: { cookie },
    body: new Uint8Array(archive),
  })
  return json(bytes) as { plan: string }
}

/** Imports an archive as the dashboard does. Returns the times of the preview and of the import. */
const put = async (subdomain: string, archive: Buffer, parameters = ''): Promise<[number, number]> => {
  const [{ plan }, preview] = await timed(() => upload(subdomain, archive, parameters))
  const [, write] = await timed(() => upload(subdomain, archive, `${parameters}&plan=${plan}`))
  return [preview, write]
}

const pagesOf = (count: number, text: string): Packed[] => {
  const line = `<li class="plant">${text} {{ data.plants[0].name }} &amp; more</li>\n`
  return Array.from({ length: count }, (_, n) => ({
    path: `pages/page-${n}.html`,
    content: `<h1>${n}</h1>\n`.padEnd(PAGE_BYTES, line),
  }))
}

const listChanges = async () => {
  const subdomain = await createSpace('changes')
  await mutate('data.put', { subdomain, key: 'first', value: 1 })
  const [first] = (await query<{ changes: { actor: { id: string } }[] }>('history.list', { subdomain }))
    .changes
  const numbers = `generate_series(10, ${CHANGES}) as n`
  await client.query(
    `insert into writes (space_id, revision, at, cause, actor_kind, actor, account)
     select space_id, n, now() - (${CHANGES} - n) * interval '1 minute', 'write', actor_kind,
       case n % 10 when 0 then actor else 'other-' || n % 10 end, account
     from writes, ${numbers} where space_id = (select space_id from changes where thing = 'first')`,
  )
  await client.query(
    `insert into changes (space_id, revision, kind, thing, before, after, size)
     select space_id, n, (array['page', 'part', 'record', 'file'])[n % 4 + 1], 'thing-' || n % ${ITEMS}, fields, fields, 0
     from changes, ${numbers},
       (values (jsonb_build_object('name', 'a', 'kind', 'static', 'includes', '[]'::jsonb, 'created_at', now()))) as item (fields)
     where thing = 'first'`,
  )
  await client.query(`update spaces set revision = ${CHANGES} where subdomain = $1`, [subdomain])
  await client.query('analyze')
  const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const filters: [string, object][] = [
    ['all', {}],
    ['of one kind', { kind: 'file' }],
    ['of one item', { kind: 'page', thing: 'thing-4' }],
    ['of one actor', { actor: first!.actor.id }],
    ['of one day, a month ago', { since: day(31), until: day(30) }],
    ['a page in the middle', { cursor: `${CHANGES / 2}-page-thing-0` }],
  ]
  for (const [name, filter] of filters) {
    const times: number[] = []
    for (let n = 0; n < LISTS; n++)
      times.push((await timed(() => query('history.list', { subdomain, ...filter })))[1])
    report(`list of 50 changes among ${CHANGES}, ${name}`, times)
  }
}

/** Changes all pages of a space and undoes the change, then deletes them and undoes the deletion. */
const undoPages = async (subdomain: string, count: number) => {
  const latest = async () =>
    (await query<{ changes: { operation: string }[] }>('history.list', { subdomain })).changes[0]!.operation
  for (const [what, archive, parameters] of [
    ['changing', await pack(...pagesOf(count, 'another')), ''],
    ['deleting', await pack(), 'delete_missing=1'],
  ] as const) {
    await put(subdomain, archive, parameters)
    const operation = await latest()
    const [{ plan }, preview] = await timed(() =>
      query<{ plan: string }>('history.previewUndo', { subdomain, operation }),
    )
    report(`preview of undoing ${what} ${count} pages`, [preview])
    const [, write] = await timed(() => mutate('history.undo', { subdomain, operation, plan }))
    report(`undoing ${what} ${count} pages`, [write])
  }
}

const transfer = async (name: string, files: Packed[]) => {
  const subdomain = await createSpace(`from-${name}`)
  const archive = await pack(...files)
  const [preview, write] = await put(subdomain, archive)
  report(`preview of importing ${name} into an empty space`, [preview])
  report(`importing ${name}`, [write])
  const [{ bytes }, exported] = await timed(() => send(`/transfer/${subdomain}`, { headers: { cookie } }))
  report(`exporting ${name} (${(bytes.length / 1_048_576).toFixed(0)} MiB)`, [exported])
  const copy = await createSpace(`to-${name}`)
  report(`importing that archive into another space`, [(await put(copy, bytes))[1]])
  return subdomain
}

/**
 * Starts a loop that reads and writes another space. Returns a function that stops the loop and returns the duration of
 * each read and write, in ms.
 */
const watch = () => {
  const times = { reads: [] as number[], writes: [] as number[] }
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' }
  const stopping = new AbortController()
  const loop = async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      times.reads.push((await timed(() => send(`/v1/spaces/bench/pages/${server.pageId}`, { headers })))[1])
      const body = JSON.stringify({ value: n })
      times.writes.push(
        (await timed(() => send('/v1/spaces/bench/data/record', { method: 'PUT', headers, body })))[1],
      )
      await sleep(PAUSE)
    }
  }
  const running = loop()
  return async () => {
    stopping.abort()
    await running
    return times
  }
}

/** Exports and imports the largest possible spaces while another space is read and written. */
const transferLargest = async () => {
  const stop = watch()
  await transfer(
    'files',
    Array.from({ length: rules.file.quota_bytes / rules.file.max_bytes }, (_, n) => ({
      path: `files/${n}.bin`,
      content: randomBytes(rules.file.max_bytes),
      options: { compress: false },
    })),
  )
  const full = await transfer('pages', pagesOf(creationLimits.pages, 'one'))
  await undoPages(full, creationLimits.pages)
  const { reads, writes } = await stop()
  report('reads of another space during the transfers', reads)
  report('writes of another space during the transfers', writes)
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
    console.log(`peak memory: ${Math.round(Number(/VmHWM:\s*(\d+)/.exec(status)![1]) / 1024)} MiB`)
  }
}

await listChanges()
const small = await createSpace('small')
await put(small, await pack(...pagesOf(PAGES, 'one')))
await undoPages(small, PAGES)
if (!process.argv.includes('--short')) await transferLargest()
await client.end()
child.disconnect()
await once(child, 'exit')
await database.stop()
await rm(folder, { recursive: true, force: true })
