import { sql } from 'kysely'
import { beforeAll, expect, inject, test, vi } from 'vitest'
import { WriteQueue } from '../../db/queue.ts'
import { creationLimits } from '../../routers/api/rules.ts'
import { copyDatabase } from '../support/database.ts'
import { startSplittingProxy } from '../support/split-responses.ts'
import {
  startTestService,
  type TestService,
  type TestSpace,
  useTestService,
} from '../support/test-service.ts'
import { concurrentlyInSpace } from '../support/transactions.ts'

const service = useTestService({ creationLimits: { ...creationLimits, pages: 2 } })

beforeAll(async () => {
  const column = sql`alter table writes add column transaction xid8 default pg_current_xact_id()`
  await column.execute(service.core.database)
})

/** The number of transactions that have written to a space. */
const transactionsOf = async ({ subdomain }: TestSpace) => {
  const { rows } = await sql<{ count: number }>`
    select count(distinct transaction)::int as count from writes
    where space_id = (select id from spaces where subdomain = ${subdomain})`.execute(service.core.database)
  return rows[0]!.count
}

/** How long to wait for all writes to be queued, in ms. Writes may wait in the queue for much longer. */
const PATIENCE = 1_000

/**
 * Makes writes share as few transactions as possible: holds the lock of their space until all of them are queued.
 *
 * @returns the responses, and how many writes were not queued in time
 */
const whenQueued = async <T>(service: TestService, subdomain: string, calls: (() => Promise<T>)[]) => {
  const share = vi.spyOn(WriteQueue.prototype, 'share')
  let late = calls.length
  try {
    const responses = await concurrentlyInSpace(service, subdomain, calls, async () => {
      await vi.waitFor(() => expect(share).toHaveBeenCalledTimes(calls.length), PATIENCE).catch(() => {})
      late -= share.mock.calls.length
    })
    return { responses, late }
  } finally {
    share.mockRestore()
  }
}

test('writes that wait behind another write to their space share a transaction', async () => {
  const space = await service.createSpace()
  const before = await transactionsOf(space)
  const calls = Array.from({ length: 12 }, () => () => space.api.put('/data/counter', { value: 1 }))
  const { responses, late } = await whenQueued(service, space.subdomain, calls)
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
  const versions = responses.map(({ body }) => Number(body.version)).toSorted((a, b) => a - b)
  expect(versions).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
  // The first write uses a transaction of its own, because it starts before the others have arrived.
  expect(await transactionsOf(space)).toBeLessThanOrEqual(before + 2 + late)
})

test('a transaction has at most 32 of the waiting writes', async () => {
  const space = await service.createSpace()
  const before = await transactionsOf(space)
  // The first write uses a transaction of its own.
  const calls = Array.from({ length: 34 }, () => () => space.api.put('/data/counter', { value: 1 }))
  const { responses } = await whenQueued(service, space.subdomain, calls)
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await transactionsOf(space)).toBeGreaterThanOrEqual(before + 3)
})

test('a write that fails changes nothing and does not affect the writes that share its transaction', async () => {
  const space = await service.createSpace()
  const { api } = space
  const about = await api.post('/pages', { slug: 'about', html: 'about' })
  await api.post('/pages', { slug: 'second', html: 'x' })
  await api.put('/data/kept', { value: 1 })
  const before = await transactionsOf(space)
  const { responses, late } = await whenQueued(service, space.subdomain, [
    () => api.put('/data/first', { value: 1 }),
    // Refused before anything is written.
    () => api.put('/data/kept', { value: 2, version: 7 }),
    // Refused by a constraint.
    () => api.post('/pages', { slug: 'about', html: 'x' }),
    // The page is inserted. Then the write is refused, and the insert is rolled back.
    () => api.post('/pages', { slug: 'third', html: 'x' }),
    // The last statement of this write violates a constraint.
    () => api.patch(`/pages/${String(about.body.id)}`, { slug: 'second' }),
    () => api.delete('/data/missing'),
    () => api.put('/data/last', { value: 2 }),
  ])
  expect(responses.map(({ status, body }) => (status < 300 ? status : body.code))).toEqual([
    200,
    'version_conflict',
    'slug_taken',
    'limit_reached',
    'slug_taken',
    'data_not_found',
    200,
  ])
  const pages = await api.get<{ data: { slug: string }[] }>('/pages')
  expect(pages.body.data.map(({ slug }) => slug)).toEqual(['about', 'second'])
  const data = await api.get<{ data: { key: string; value: unknown }[] }>('/data')
  expect(data.body.data.map(({ key, value }) => [key, value])).toEqual([
    ['first', 1],
    ['kept', 1],
    ['last', 2],
  ])
  expect(await transactionsOf(space)).toBeLessThanOrEqual(before + 2 + late)
  // A write that follows a refused write runs twice, but its change is recorded only once.
  const changes = await service.core.database
    .selectFrom('changes')
    .where('thing', 'in', ['first', 'kept', 'last'])
    .select(['thing', 'before'])
    .orderBy('thing')
    .execute()
  expect(changes).toEqual(['first', 'kept', 'last'].map(thing => ({ thing, before: null })))
})

test('in a shared transaction, some writes can succeed while others are refused in their last statement', async () => {
  const space = await service.createSpace()
  const { api } = space
  const part = await api.post('/parts', { name: 'a', html: 'x' })
  const rename = { name: 'b', html: 'y' }
  await api.post('/parts', { name: 'b', html: 'x' })
  const refused = () => api.patch(`/parts/${String(part.body.id)}`, rename)
  const { responses } = await whenQueued(service, space.subdomain, [
    () => api.put('/data/one', { value: 1 }),
    refused,
    refused,
    () => api.put('/data/one', { value: 2 }),
    refused,
    () => api.put('/data/one', { value: 3 }),
    refused,
  ])
  expect(responses.map(({ status }) => status)).toEqual([200, 409, 409, 200, 409, 200, 409])
  expect((await api.get('/data/one')).body).toMatchObject({ version: 3 })
  expect((await api.get(`/parts/${String(part.body.id)}`)).body).toMatchObject({ name: 'a', html: 'x' })
})

test('a write that fails does not affect the next one, even if the database’s responses arrive one at a time', async () => {
  const proxy = await startSplittingProxy(await copyDatabase(inject('database')))
  const behindProxy = await startTestService({ databaseUrl: proxy.url })
  try {
    const { subdomain, api } = await behindProxy.createSpace()
    await api.post('/pages', { slug: 'taken', html: 'x' })
    // The connection that has prepared the statements of these calls holds the lock. So the calls use another
    // connection, which must prepare the statements first.
    const { responses } = await whenQueued(behindProxy, subdomain, [
      () => api.put('/data/first', { value: 1 }),
      () => api.post('/pages', { slug: 'taken', html: 'x' }),
      () => api.post('/pages', { slug: 'free', html: 'x' }),
      () => api.put('/data/last', { value: 1 }),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 409, 201, 200])
  } finally {
    await behindProxy.stop()
    proxy.stop()
  }
})

test('a write succeeds even if the write before it failed', async () => {
  const { api } = await service.createSpace()
  await api.post('/pages', { slug: 'taken', html: 'x' })
  expect((await api.post('/pages', { slug: 'taken', html: 'x' })).body.code).toBe('slug_taken')
  expect((await api.post('/pages', { slug: 'free', html: 'x' })).status).toBe(201)
})

test('writes sent while their space is deleted cause no internal error, and later ones get 401', async () => {
  const space = await service.createSpace()
  const { owner, subdomain, api } = space
  const calls = [
    () => api.post('/pages', { slug: 'one', html: 'x' }),
    () => api.put('/data/one', { value: 1 }),
    () => api.delete('/data/one'),
  ]
  const deleted = owner.spaces.delete({ subdomain, confirm: subdomain })
  const responses = await Promise.all([...calls.map(call => call()), deleted.then(() => undefined)])
  const again = await Promise.all(calls.map(call => call()))
  expect(again.map(({ status }) => status)).toEqual([401, 401, 401])
  for (const response of responses.slice(0, 3)) expect([200, 201, 204, 401, 404]).toContain(response?.status)
})

test('of several concurrent writes, each succeeds or fails independently of the others', async () => {
  const { api } = await service.createSpace()
  await api.post('/parts', { name: 'taken', html: 'x' })
  for (let round = 0; round < 10; round++) {
    const names = ['taken', `a${round}`, 'taken', `b${round}`]
    const responses = await Promise.all(names.map(name => api.post('/parts', { name, html: 'x' })))
    expect(responses.map(({ status }) => status)).toEqual([409, 201, 409, 201])
  }
})
