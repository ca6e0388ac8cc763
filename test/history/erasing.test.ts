import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { historyLimits } from '../../routers/api/rules.ts'
import { trimHistory } from '../../routers/content/history/retention.ts'
import { HISTORY_FAULTS } from '../support/history.ts'
import { testPng } from '../support/png.ts'
import { errorCodeOf } from '../support/problems.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()
let space: TestSpace
let subdomain: string
/** Ids of the spaces for which `onErase` was called. */
const noted: string[] = []

beforeEach(async () => {
  space = await service.createSpace()
  ;({ subdomain } = space)
  service.core.onErase = spaceId => void noted.push(spaceId)
})

const db = () => service.core.database
const changes = async (filter: object = {}) =>
  (await space.owner.history.list({ subdomain, ...filter })).changes
const erase = (change_id: string, person = space.owner) => person.history.erase({ subdomain, change_id })
const create = async (path: string, body: object) =>
  `${path}/${(await space.api.post<{ id: string }>(path, body)).body.id}`

/** Runs the background work that follows an erasure. */
const trim = async () => {
  const { days, versions, mib } = historyLimits
  await trimHistory(service.core.database, noted.at(-1)!, { days, versions, bytes: mib * 1_048_576 })
}

/** Returns the tables whose rows contain a string, as text or in hexadecimal. */
const tablesWith = async (text: string) => {
  const found: string[] = []
  for (const table of ['changes', 'blobs', 'pages', 'parts', 'data_records', 'files']) {
    const { rows } = await sql<{ row: string }>`
      select row_to_json(t)::text as row from ${sql.table(table)} as t`.execute(db())
    const hex = Buffer.from(text).toString('hex')
    if (rows.some(({ row }) => row.includes(text) || row.includes(hex))) found.push(table)
  }
  return found
}

const items = [
  ['page', () => create('/pages', { slug: 'gone', html: 'SECRET-1' }), { html: 'SECRET-2' }],
  ['part', () => create('/parts', { name: 'gone', html: 'SECRET-1' }), { html: 'SECRET-2' }],
  [
    'file',
    () => create('/files', { name: 'gone.txt', content: 'SECRET-1', encoding: 'text' }),
    { content: 'SECRET-2', encoding: 'text' },
  ],
] as const

test.each(items)('a deleted %s is erased with all of its versions', async (kind, item, change) => {
  const path = await item()
  await space.api.patch(path, change)
  await space.api.delete(path)
  await space.api.put('/data/kept', { value: 1 })
  expect(await tablesWith('SECRET')).toEqual([kind === 'file' ? 'blobs' : 'changes'])
  const [, deletion] = await changes()
  await erase(deletion!.id)
  await trim()
  expect(await tablesWith('SECRET')).toEqual([])
  expect((await changes()).map(({ thing }) => thing)).toEqual(['kept'])
  expect((await db().executeQuery(sql.raw(HISTORY_FAULTS).compile(db()))).rows).toEqual([])
  const { events } = await space.owner.audit.ofSpace({ subdomain, topic: 'content' })
  const name = kind === 'file' ? 'gone.txt' : 'gone'
  expect(events).toMatchObject([{ kind: 'erased', handle: space.owner.handle, item: { kind, name } }])
})

test('a body is kept if another item has it too', async () => {
  await space.api.put('/data/gone', { value: 'same text' })
  await space.api.put('/data/kept', { value: 'same text' })
  await space.api.put('/data/kept', { value: 'other text' })
  await space.api.delete('/data/gone')
  const [deletion, edit] = await changes()
  await erase(deletion!.id)
  await trim()
  await space.owner.history.restore({ subdomain, change_id: edit!.id, side: 'before' })
  expect((await space.api.get('/data/kept')).body).toMatchObject({ value: 'same text' })
})

test('a removed icon of the space is erased', async () => {
  await space.owner.spaces.setIcon({ subdomain, png: await testPng({ width: 256, height: 256 }) })
  await space.owner.spaces.removeIcon({ subdomain })
  const [removal] = await changes({ kind: 'space' })
  await erase(removal!.id)
  await trim()
  expect(
    await db().selectFrom('blobs').where('space_id', '=', noted.at(-1)!).select('size').execute(),
  ).toEqual([])
  expect(await changes()).toEqual([])
})

test('an item that exists, or exists again, is not erased', async () => {
  await space.api.put('/data/a', { value: 1 })
  const [creation] = await changes()
  expect(await errorCodeOf(erase(creation!.id))).toBe('validation_failed')
  await space.api.delete('/data/a')
  const [deletion] = await changes()
  await space.api.put('/data/a', { value: 2 })
  expect(await errorCodeOf(erase(deletion!.id))).toBe('item_exists')
  expect(await changes()).toHaveLength(3)
  expect((await space.owner.audit.ofSpace({ subdomain, topic: 'content' })).events).toEqual([])
})

test('erasing requires a recent confirmation, and works only once for an item', async () => {
  await space.api.put('/data/a', { value: 1 })
  await space.api.delete('/data/a')
  const [deletion] = await changes()
  const confirmed = await db().selectFrom('sessions').select(['id', 'confirmed_at']).execute()
  await db()
    .updateTable('sessions')
    .set({ confirmed_at: new Date(0) })
    .execute()
  expect(await errorCodeOf(erase(deletion!.id))).toBe('confirmation_required')
  for (const { id, confirmed_at } of confirmed)
    await db().updateTable('sessions').set({ confirmed_at }).where('id', '=', id).execute()
  await erase(deletion!.id)
  expect(await errorCodeOf(erase(deletion!.id))).toBe('change_not_found')
})

test('an item with thousands of versions is erased', async () => {
  await space.api.put('/data/a', { value: 1 })
  await space.api.put('/data/b', { value: 1 })
  await space.api.delete('/data/a')
  const [deletion] = await changes()
  await sql`
    insert into changes (space_id, revision, kind, thing, before, after, size)
    select space_id, -n, kind, thing, '{}', '{}', 0
    from changes, generate_series(1, 2500) as n
    where thing = 'a' and after is null and space_id = (select id from spaces where subdomain = ${subdomain})`.execute(
    db(),
  )
  await erase(deletion!.id)
  expect((await changes()).map(({ thing }) => thing)).toEqual(['b'])
  // Deleted in several steps, but recorded once.
  const { events } = await space.owner.audit.ofSpace({ subdomain, topic: 'content' })
  expect(events).toMatchObject([{ kind: 'erased', item: { kind: 'record', name: 'a' } }])
})
