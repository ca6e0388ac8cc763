import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { toolClient } from '../mcp/support/tool-client.ts'
import { errorCodeOf } from '../support/problems.ts'
import { useQuietService } from '../support/quiet-service.ts'
import type { TestSpace } from '../support/test-service.ts'

const quiet = useQuietService()

/** Number of parallel calls: more than the pool has connections. */
const MANY = 24
/** One call of an account runs, and ten wait. */
const ADMITTED = 11

/** Locks a table, so that everything that reads it waits. Returns a function that unlocks it. */
const lock = async (table: string) => {
  const { host, port, user, database } = quiet.client
  const client = new Client({ host, port, user, database: database! })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return () => client.query('commit')
}

/** Returns how many statements that contain a text wait for a lock. */
const waitingWith = async (text: string) => {
  const { rows } = await quiet.client.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and strpos(query, $1) > 0`,
    [text],
  )
  return rows[0]!.count
}

const waiting = () => waitingWith('')

const preview = ({ owner, subdomain }: TestSpace) =>
  errorCodeOf(owner.history.previewUndo({ subdomain, operation: 'none' }))

const count = (outcomes: unknown[]) => ({
  ok: outcomes.filter(outcome => outcome === undefined).length,
  refused: outcomes.filter(outcome => outcome === 'rate_limited').length,
})

test('previews of undos that take long run one at a time, and leave connections to others', async () => {
  const { service } = quiet
  const other = await service.signUp()
  // All spaces of an account count together.
  const first = await service.createSpace()
  const spaces = [first, await service.createSpace(undefined, first.owner)]
  const unlock = await lock('changes')
  const previews = Promise.all(Array.from({ length: MANY }, (_, n) => preview(spaces[n % 2]!)))
  await expect.poll(waiting).toBe(1)
  expect((await other.api.patch('/me', { bio: 'x' })).status).toBe(200)
  expect(await waiting()).toBe(1)
  await unlock()
  expect(count(await previews)).toEqual({ ok: ADMITTED, refused: MANY - ADMITTED })
})

test('slow queries of many accounts leave connections to others', async () => {
  const { service } = quiet
  const other = await service.signUp()
  const spaces: TestSpace[] = []
  for (let n = 0; n < 12; n++) spaces.push(await service.createSpace())
  const unlock = await lock('changes')
  const previews = Promise.all(spaces.map(preview))
  await expect.poll(waiting).toBe(3)
  expect((await other.api.patch('/me', { bio: 'x' })).status).toBe(200)
  expect(await waiting()).toBe(3)
  await unlock()
  expect(count(await previews)).toEqual({ ok: spaces.length, refused: 0 })
})

test('writes to many spaces of one account leave connections to others', async () => {
  const { service } = quiet
  const other = await service.signUp()
  const owner = await service.signUp()
  const spaces: TestSpace[] = []
  for (let n = 0; n < 16; n++) spaces.push(await service.createSpace(undefined, owner))
  const unlock = await lock('changes')
  const writes = Promise.all(spaces.map(({ api }) => api.put('/data/a', { value: 1 })))
  await expect.poll(waiting).toBeGreaterThan(0)
  expect((await other.api.patch('/me', { bio: 'x' })).status).toBe(200)
  expect(await waiting()).toBeLessThanOrEqual(4)
  await unlock()
  for (const { status } of await writes) expect(status).toBe(200)
})

test('lists of what an actor did to some items run one at a time, and other lists wait for none of them', async () => {
  const { service } = quiet
  const { api, owner, subdomain } = await service.createSpace()
  const { body } = await api.post<{ id: string }>('/pages', { slug: 'about', html: 'x' })
  const list = (filter: object) => errorCodeOf(owner.history.list({ subdomain, ...filter }))
  const unlock = await lock('changes')
  const slow = [{ kind: 'page' }, { thing: body.id }, { kind: 'page', thing: body.id }]
  const lists = Promise.all(
    Array.from({ length: MANY }, (_, n) => list({ actor: 'someone', ...slow[n % 3] })),
  )
  await expect.poll(waiting).toBe(1)
  const quick = [{}, { kind: 'page' }, { kind: 'page', thing: body.id }, { actor: 'someone' }].map(list)
  await expect.poll(waiting).toBe(1 + quick.length)
  await unlock()
  expect(count(await lists)).toEqual({ ok: ADMITTED, refused: MANY - ADMITTED })
  expect(count(await Promise.all(quick))).toEqual({ ok: quick.length, refused: 0 })
})

test('searches of the audit log run one at a time, and leave connections to others', async () => {
  const { service } = quiet
  const owner = await service.signUp()
  const unlock = await lock('audit_events')
  const search = () => errorCodeOf(owner.audit.ofAccount({ who: 'x' }))
  const searches = Promise.all(Array.from({ length: MANY }, search))
  await expect.poll(waiting).toBe(1)
  await unlock()
  expect(count(await searches)).toEqual({ ok: ADMITTED, refused: MANY - ADMITTED })
})

test('searches for what still uses deleted pages run one at a time', async () => {
  const { service } = quiet
  const { api, key } = await service.createSpace()
  const tools = toolClient(service, '/mcp', await key(...SPACE_SCOPES), '2025-11-25')
  const ids: string[] = []
  for (let n = 0; n < 6; n++) {
    const { body } = await api.post<{ id: string }>('/pages', { slug: `page-${n}`, html: 'x' })
    ids.push(body.id)
  }
  service.core.reviewPatience = 1_000
  const unlock = await lock('parts')
  const done = new AbortController()
  const deletions = Promise.all(ids.map(page_id => tools.call('delete_page', { page_id }))).finally(() =>
    done.abort(),
  )
  let most = 0
  while (!done.signal.aborted) most = Math.max(most, await waitingWith('with item as'))
  await deletions
  await unlock()
  expect(most).toBe(1)
})
