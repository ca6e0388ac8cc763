import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HISTORY_FAULTS } from '../support/history.ts'
import { createAccount, type TestAccount } from './support/account.ts'
import {
  type AcknowledgedEdits,
  EDITS,
  type EditedSpaces,
  editsOf,
  MARKERS,
  prepareEdits,
  WHOLE,
} from './support/edits.ts'
import { call } from './support/http.ts'
import { type AcknowledgedPosts, postEditsOf, postFaults, preparePost } from './support/post-edits.ts'
import { type ServiceProcess, startProgram } from './support/service.ts'

/** How many times the service is killed: `CRASH_ROUNDS`, 5 by default. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 5)

let service: ServiceProcess
let account: TestAccount
let spaces: EditedSpaces
let post: string

beforeAll(async () => {
  service = await startProgram({
    CALLS_PER_MINUTE: '1000000',
    POSTS_PER_MINUTE: '1000000',
    COMMENTS_PER_MINUTE: '1000000',
    RENDER_PROCESSES: '1',
  })
  account = await createAccount(service.port, 'writer')
  const send = (method: string, path: string, headers: object, body?: object) =>
    call(service.port, { method, path, headers: { ...headers }, ...(body && { body: JSON.stringify(body) }) })
  spaces = await prepareEdits(send, account)
  post = await preparePost(account)
})
afterAll(() => service.remove())

/** The writes that the service has acknowledged. */
interface Acknowledged {
  /** Paths of created resources, with the headers to read them. */
  created: { path: string; headers: object }[]
  deleted: { path: string; headers: object }[]
  /** The last acknowledged value of each record. */
  values: Map<string, number>
  edits: AcknowledgedEdits
  posts: AcknowledgedPosts
  count: number
}

const FILE = Buffer.alloc(300_000, 'x').toString('base64')

/** Sends writes of every kind until the service is killed. */
const writeUntilKilled = async (acknowledged: Acknowledged, round: number) => {
  const space = `/v1/spaces/${account.subdomain}`
  const { key, token } = account
  const gone = new AbortController()
  const send = async (method: string, path: string, headers: object, body?: object | Buffer) => {
    const reply = await call(service.port, {
      method,
      path,
      headers: { ...headers },
      ...(body ? { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) } : {}),
    })
    if (reply.status >= 200 && reply.status < 300) acknowledged.count++
    else if (reply.status === 0) gone.abort()
    // A 409 is expected, because the files reach the quota after many rounds. A 429 is expected if the previous archive
    // was not deleted in time.
    else if (![503, 409, ...(path.startsWith('/transfer/') ? [429] : [])].includes(reply.status))
      throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    return reply
  }
  const loop = async (work: (n: number) => Promise<unknown>) => {
    for (let n = 0; !gone.signal.aborted; n++) await work(n)
  }
  /** Creates a resource, and deletes it again if `n` is odd. */
  const create = async (n: number, path: string, item: string, headers: object, body: object) => {
    const { status, text } = await send('POST', path, headers, body)
    if (status !== 201) return undefined
    const { id } = JSON.parse(text) as { id: string }
    const created = { path: `${item}/${id}`, headers }
    if (n % 2 === 0) acknowledged.created.push(created)
    else if ((await send('DELETE', created.path, headers)).status === 204) acknowledged.deleted.push(created)
    return id
  }
  await Promise.all([
    ...['a', 'b'].map(name =>
      loop(async n => {
        const value = round * 1_000_000 + n
        const { status } = await send('PUT', `${space}/data/${name}`, key, { value })
        if (status === 200 || status === 201) acknowledged.values.set(name, value)
      }),
    ),
    loop(n =>
      create(n, `${space}/pages`, `${space}/pages`, key, { slug: `p-${round}-${n}`, html: '<p>x</p>' }),
    ),
    loop(n => create(n, `${space}/parts`, `${space}/parts`, key, { name: `p-${round}-${n}`, html: 'é' })),
    loop(n =>
      create(n, `${space}/files`, `${space}/files`, key, {
        name: 'x.bin',
        content: FILE,
        encoding: 'base64',
      }),
    ),
    loop(async n => {
      const id = await create(n * 2, '/v1/posts', '/v1/posts', token, { html: '<p>x</p>', tags: [] })
      if (id) await create(n, `/v1/posts/${id}/comments`, '/v1/comments', token, { body: 'x' })
      if (id) await send('PUT', `/v1/posts/${id}/like`, token)
    }),
    ...editsOf(send, account, spaces, acknowledged.edits, round).map(loop),
    ...postEditsOf(send, account, post, acknowledged.posts, round).map(loop),
  ])
}

/** Rows whose stored size or digest does not match their content, and comments without a post. */
const INCONSISTENT = `
  select 'file' kind, id from files left join blobs using (space_id, digest)
    where bytes is null or files.size <> octet_length(bytes) or digest <> sha256(bytes)
  union all select 'part', id from parts where length <> char_length(html)
  union all select 'record', key from data_records where size <> octet_length(value)
  union all select 'comment', id from comments where post_id not in (select id from posts)`

/** Returns the number in the body of the edited page, part or file. */
const numberOf = async (kind: 'page' | 'part' | 'file'): Promise<number> => {
  const { edited, key, [kind]: id } = spaces
  const host = `${id}.files.localhost:${service.port}`
  const { text } = await call(
    service.port,
    kind === 'file'
      ? { path: '/', headers: { host } }
      : { path: `/v1/spaces/${edited}/${kind}s/${id}`, headers: key },
  )
  return Number(kind === 'file' ? text : (JSON.parse(text) as { html: string }).html)
}

const expectIntact = async (acknowledged: Acknowledged) => {
  const statusOf = async ({ path, headers }: { path: string; headers: object }) => {
    const { status } = await call(service.port, { path, headers: { ...headers } })
    // Comments have no GET, so a 405 shows that the path exists.
    return status === 405 ? 200 : status
  }
  for (const item of acknowledged.created.slice(-60))
    if (!item.path.includes('/comments/')) expect(`${item.path} ${await statusOf(item)}`).toMatch(/ 200$/)
  for (const item of acknowledged.deleted.slice(-30))
    if (!item.path.includes('/comments/')) expect(`${item.path} ${await statusOf(item)}`).toMatch(/ 404$/)
  const ids = (kind: string, table: 'created' | 'deleted') =>
    acknowledged[table]
      .filter(({ path }) => path.includes(`/${kind}/`))
      .map(({ path }) => path.split('/').at(-1))
  for (const kind of ['pages', 'parts', 'files', 'posts', 'comments']) {
    const rows = await service.query(`select id from ${kind} where id = any($1)`, [ids(kind, 'created')])
    expect(`${rows.length} ${kind}`).toBe(`${ids(kind, 'created').length} ${kind}`)
    expect(await service.query(`select id from ${kind} where id = any($1)`, [ids(kind, 'deleted')])).toEqual(
      [],
    )
  }
  for (const [name, value] of acknowledged.values) {
    const { text } = await call(service.port, {
      path: `/v1/spaces/${account.subdomain}/data/${name}`,
      headers: account.key,
    })
    expect((JSON.parse(text) as { value: number }).value).toBeGreaterThanOrEqual(value)
  }
  expect(await service.query(INCONSISTENT)).toEqual([])
  expect(await service.query(HISTORY_FAULTS)).toEqual([])
  expect(await postFaults(service, post, acknowledged.posts)).toEqual([])
  expect(await service.query(MARKERS)).toEqual(WHOLE)
  for (const [kind, number] of acknowledged.edits.last)
    expect(await numberOf(kind)).toBeGreaterThanOrEqual(number)
  for (const [subdomain, headers] of [
    [account.subdomain, account.key],
    [spaces.edited, spaces.key],
  ] as const) {
    const { text } = await call(service.port, { path: `/v1/spaces/${subdomain}/files`, headers })
    const [sum] = await service.query(
      `select coalesce(sum(size), 0)::int as used from files join spaces on spaces.id = space_id
        where subdomain = $1`,
      [subdomain],
    )
    expect((JSON.parse(text) as { storage: object }).storage).toMatchObject({ used: sum!.used })
  }
}

test(`killing the service ${rounds} times during writes loses no acknowledged write`, {
  timeout: rounds * 120_000,
}, async () => {
  const edits: AcknowledgedEdits = { kinds: new Set(), last: new Map() }
  const posts: AcknowledgedPosts = { numbers: [], ids: [], restored: 0 }
  const acknowledged: Acknowledged = { created: [], deleted: [], values: new Map(), edits, posts, count: 0 }
  for (let round = 1; round <= rounds; round++) {
    const writing = writeUntilKilled(acknowledged, round)
    const before = acknowledged.count
    const underway = async () => {
      await sleep(200 + Math.random() * 1_000)
      // Wait for each kind of edit, so that the first round shows that all of them work.
      const isEachDone = () =>
        edits.kinds.size === EDITS.length && posts.numbers.length > 0 && posts.restored > 0
      while (acknowledged.count < before + 10 || !isEachDone()) await sleep(10)
    }
    await Promise.race([writing, underway()])
    if (round % 2 === 0) await service.end('SIGKILL')
    else await service.killAll()
    await writing
    await service.start()
    await expectIntact(acknowledged)
  }
  process.stdout.write(`${acknowledged.count} acknowledged writes over ${rounds} kills\n`)
})

test('a page opens after all template workers were killed', async () => {
  const space = `/v1/spaces/${account.subdomain}`
  const page = { slug: 'alive', kind: 'static', html: '{{ space.name }}' }
  await call(service.port, { path: `${space}/pages`, headers: account.key, body: JSON.stringify(page) })
  const headers = { host: `${account.subdomain}.sites.localhost:${service.port}` }
  for (let round = 0; round < 3; round++) {
    // Change a record, so that the page is evaluated again.
    const body = JSON.stringify({ value: Math.random() })
    await call(service.port, { method: 'PUT', path: `${space}/data/a`, headers: account.key, body })
    await service.killWorkers()
    const { status, text } = await call(service.port, { path: '/alive', headers })
    expect(status).toBe(200)
    expect(text).toContain(account.subdomain)
  }
  expect(service.log()).not.toContain('"msg":"fault"')
})
