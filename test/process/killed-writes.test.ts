import { Client } from 'pg'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createAccount, type TestAccount } from '../faults/support/account.ts'
import { call } from '../faults/support/http.ts'
import { type ServiceProcess, startProgram } from '../faults/support/service.ts'
import { copyDatabase } from '../support/database.ts'
import { DISTRIBUTED, partitionContent } from '../support/partitions.ts'

// Each test kills the whole process in the middle of a write that changes both the directory and content. The test
// holds a lock, and kills the process while the write waits for that lock.

let url: string
beforeAll(async () => {
  url = await copyDatabase(inject('database'))
  // Where content is distributed, writes to the directory and to content are separate statements.
  await partitionContent(url)
})

const connect = async (): Promise<Client> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Returns how many rows a space has in each table. Leaves out the tables in which it has none. */
const rowsOf = async (client: Client, spaceId: string): Promise<Record<string, number>> => {
  const tables = { ...DISTRIBUTED, space_names: 'id', participants: 'space_id', origins: 'space_id' }
  const counts: Record<string, number> = {}
  for (const [table, column] of Object.entries(tables)) {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from ${table} where ${column} = $1`,
      [spaceId],
    )
    if (rows[0]!.n > 0) counts[table] = rows[0]!.n
  }
  return counts
}

/** The `Idempotency-Key` of a call, and the port of another process to call. */
interface Retry {
  key?: string
  port?: number
}

interface Started {
  service: ServiceProcess
  client: Client
  account: TestAccount
  spaceId: string
  /** Calls the Space API with the key of the space. */
  api: (path: string, body?: object, retry?: Retry) => ReturnType<typeof call>
}

const start = async (name: string): Promise<Started> => {
  const service = await startProgram({ DATABASE_URL: url, RENDER_PROCESSES: '1', SIGN_UP: 'open' })
  onTestFinished(() => service.remove())
  const client = await connect()
  const account = await createAccount(service.port, name)
  const { rows } = await client.query<{ id: string }>('select id from space_names where subdomain = $1', [
    name,
  ])
  const api = (path: string, body?: object, { key, port = service.port }: Retry = {}) =>
    call(port, {
      path: `/v1/spaces/${name}${path}`,
      headers: { ...account.key, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  return { service, client, account, spaceId: rows[0]!.id, api }
}

/** Kills the process while a write waits for a lock that this function holds. Then starts the process again. */
const killAt = async ({ service, client }: Started, lock: string, write: () => Promise<unknown>) => {
  const holder = await connect()
  await holder.query('begin')
  await holder.query(lock)
  const response = write().catch((error: unknown) => error)
  const blocked = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await client.query(`select ${blocked}`)).rowCount, { interval: 20 }).toBe(1)
  await service.end('SIGKILL')
  // The database server does not notice that its client was killed until the server sends a response. So the waiting
  // statement would continue once the lock is released. End the statement to prevent this.
  await client.query(`select pg_terminate_backend(pid) ${blocked}`)
  await response
  await holder.query('rollback')
  return service.start()
}

describe('a process that is killed', () => {
  test('while it deletes a space leaves nothing visible, and the next process completes the deletion', async () => {
    const started = await start('deleting')
    const { service, client, account, spaceId, api } = started
    const page = await api('/pages', { slug: 'home', kind: 'static', html: 'x' })
    const { id } = JSON.parse(page.text) as { id: string }
    const before = await rowsOf(client, spaceId)
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(['pages', 'changes', 'origins', 'space_names']),
    )

    const deletion = { subdomain: 'deleting', confirm: 'deleting' }
    await killAt(started, 'select from pages for update', () => account.procedure('spaces.delete', deletion))
    const inDirectory = new Set(['space_names', 'participants', 'origins'])
    const content = Object.entries(before).filter(([table]) => !inDirectory.has(table))
    expect(await rowsOf(client, spaceId)).toEqual(Object.fromEntries(content))
    const hosts = [`deleting.sites.localhost:${service.port}`, `${id}.pages.localhost:${service.port}`]
    const visits = hosts.map(host => call(service.port, { path: '/', headers: { host } }))
    expect((await Promise.all([...visits, api('/pages')])).map(({ status }) => status)).toEqual([
      404, 404, 401,
    ])
    await account.procedure('spaces.create', { subdomain: 'deleting', name: 'Again' })

    await expect.poll(() => rowsOf(client, spaceId)).toEqual({})
    expect((await client.query('select from deleted_spaces')).rowCount).toBe(0)
  })

  test('during the creation of a space from a starter leaves no part of the space behind', async () => {
    const started = await start('creating')
    const space = { subdomain: 'started', name: 'Started', starter: 'blog' }
    await killAt(started, 'lock table origins in exclusive mode', () =>
      started.account.procedure('spaces.create', space),
    )
    const { rows } = await started.client.query(
      `select subdomain from spaces where subdomain = 'started' union all
       select subdomain from space_names where subdomain = 'started'`,
    )
    expect(rows).toEqual([])
    await started.account.procedure('spaces.create', space)
  })

  test('while it creates a page or a file leaves nothing behind', async () => {
    const started = await start('adding')
    const { client, spaceId, api } = started
    const before = await rowsOf(client, spaceId)
    for (const [path, body] of [
      ['/pages', { slug: 'home', html: 'x' }],
      ['/files', { name: 'a.txt', content: 'x', encoding: 'text' }],
    ] as const) {
      await killAt(started, 'lock table origins in exclusive mode', () => api(path, body))
      expect(await rowsOf(client, spaceId)).toEqual(before)
      expect((await api(path, body)).status).toBe(201)
      Object.assign(before, await rowsOf(client, spaceId))
    }
  })

  test('while it saves a scheduled draft leaves it scheduled, and the next process saves it once', async () => {
    const started = await start('planning')
    const { client, account, spaceId, api } = started
    const { subdomain } = account
    const page = await api('/pages', { slug: 'home', kind: 'static', html: 'first' })
    const { id } = JSON.parse(page.text) as { id: string }
    const fields = { slug: 'home', kind: 'static', html: 'second' }
    const draft = { subdomain, kind: 'page', thing: id, is_new: false, fields, base: null }
    await account.procedure('unsaved.keep', draft)
    const at = new Date(Date.now() + 60 * 60_000).toISOString()
    await account.procedure('schedules.save', { subdomain, thing: id, at })
    await started.service.end('SIGKILL')
    await started.service.start()
    const count = async (from: string) =>
      (await client.query(`select from ${from} where space_id = $1`, [spaceId])).rowCount
    const state = async () => [
      await count('schedules'),
      await count('drafts'),
      await count('changes'),
      // Not by the API: polling it would exceed the rate limit.
      (await client.query<{ html: string }>('select html from pages where id = $1', [id])).rows[0]!.html,
    ]
    expect(await state()).toEqual([1, 1, 1, 'first'])
    await killAt(started, 'select from pages for update', () =>
      client.query('update schedules set due_at = now() where space_id = $1', [spaceId]),
    )
    // The process that was started takes the schedule at once.
    await expect.poll(state).toEqual([0, 0, 2, 'second'])
    expect((await client.query('select from notifications where schedule is not null')).rowCount).toBe(0)
  })

  test('while it creates a page leaves the Idempotency-Key of the call free, and one effect', async () => {
    const started = await start('retrying')
    const { api, service } = started
    const page = { slug: 'home', html: 'x' }
    const create = () => api('/pages', page, { key: 'first' })
    await killAt(started, 'lock table kept_answers in exclusive mode', create)
    const first = await create()
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined])

    await service.end('SIGKILL')
    await service.start()
    const second = await create()
    expect([second.text, second.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
    const { data } = JSON.parse((await api('/pages')).text) as { data: unknown[] }
    expect(data).toHaveLength(1)
  })
})

test('two processes have one effect for equal calls, and wait for each other without a connection', async () => {
  const { service, client, api } = await start('together')
  const other = await startProgram({ DATABASE_URL: url, RENDER_PROCESSES: '1' })
  onTestFinished(() => other.remove())
  const holder = await connect()
  await holder.query('begin')
  await holder.query('lock table kept_answers in exclusive mode')
  const create = (port: number) => api('/pages', { slug: 'home', html: 'x' }, { key: 'together', port })
  const first = create(service.port)
  const inTransaction = async () => {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and state in ('active', 'idle in transaction')
         and pid not in (pg_backend_pid(), $1)`,
      [(await holder.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid],
    )
    return rows[0]!.n
  }
  await expect.poll(inTransaction, { interval: 20 }).toBe(1)
  const countedBy = async (port: number) =>
    60 - Number((await api('', undefined, { port })).headers['ratelimit-remaining'])
  const before = await countedBy(other.port)
  const others = Array.from({ length: 20 }, () => create(other.port))
  await expect.poll(async () => (await countedBy(other.port)) - before, { interval: 20 }).toBeGreaterThan(20)
  await expect.poll(inTransaction, { interval: 20 }).toBe(1)
  await holder.query('rollback')
  const answers = await Promise.all([first, ...others])
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers.map(({ status, headers }) => [status, headers['idempotency-replayed']])).toEqual([
    [201, undefined],
    ...others.map(() => [201, 'true']),
  ])
})
