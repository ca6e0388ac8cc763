import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { withMembershipLocked } from '../../db/locks.ts'
import { deleteUnused, findUnused, type RetentionLimits } from '../../db/queries/history-retention.ts'
import { trimHistory } from '../../routers/content/history/retention.ts'
import { HISTORY_FAULTS, withoutHistory } from '../support/history.ts'
import { useQuietService } from '../support/quiet-service.ts'
import { shifted } from '../support/shifted-time.ts'
import type { TestSpace } from '../support/test-service.ts'

const quiet = useQuietService()
const DAY = 24 * 60 * 60_000
const LIMITS: RetentionLimits = { days: 90, versions: 6, bytes: 1_000_000_000 }

let space: TestSpace
let spaceId: string
beforeEach(async () => {
  space = await quiet.service.createSpace()
  const row = await db().selectFrom('spaces').where('subdomain', '=', space.subdomain).select('id').execute()
  spaceId = row[0]!.id
})

const db = () => quiet.service.core.database
const inDays = (days: number) => new Date(Date.now() + days * DAY)
const trim = (limits: Partial<RetentionLimits>, now = new Date(Date.now() + 1)) =>
  trimHistory(quiet.service.core.database, spaceId, { ...LIMITS, ...limits }, now)
const faults = async () => (await sql.raw(HISTORY_FAULTS).execute(db())).rows

/** Returns how many changes of each item are kept, and how many earlier bodies. */
const kept = async () => {
  const changes = await db()
    .selectFrom('changes')
    .where('space_id', '=', spaceId)
    .select(['thing', 'body'])
    .execute()
  const counts: Record<string, number> = { bodies: changes.filter(({ body }) => body !== null).length }
  for (const { thing } of changes) counts[thing] = (counts[thing] ?? 0) + 1
  return counts
}

const write = async (key: string, times: number, length = 10) => {
  for (let n = 0; n < times; n++) await space.api.put(`/data/${key}`, { value: `${n}`.padEnd(length, key) })
}

describe('a history', () => {
  it('keeps every change for the configured days', async () => {
    await write('a', 10)
    await trim({}, inDays(89))
    expect(await kept()).toEqual({ a: 10, bodies: 9 })
  })

  it('keeps the latest changes of each item even after the configured days', async () => {
    await write('a', 10)
    await write('b', 3)
    await trim({}, inDays(91))
    expect(await kept()).toEqual({ a: 6, b: 3, bodies: 8 })
    expect(await faults()).toEqual([])
  })

  it('keeps the latest changes of deleted items too', async () => {
    await write('a', 10)
    await space.api.delete('/data/a')
    await trim({}, inDays(91))
    expect(await kept()).toEqual({ a: 6, bodies: 6 })
    expect(await faults()).toEqual([])
    const { subdomain, owner } = space
    const [deletion] = (await owner.history.list({ subdomain, thing: 'a' })).changes
    await owner.history.restore({ subdomain, change_id: deletion!.id, side: 'before' })
    expect((await space.api.get('/data/a')).body).toMatchObject({ value: '9'.padEnd(10, 'a') })
  })

  it.each([
    ['a new file has', (id: string) => ({ stays: id, deleted: undefined })],
    ['a new change refers to', (id: string) => ({ stays: undefined, deleted: id })],
  ])('keeps bytes that %s after they were found to be unused', async (_, use) => {
    const upload = async () =>
      (await space.api.post<{ id: string }>('/files', { name: 'a.txt', content: 'same', encoding: 'text' }))
        .body.id
    await upload()
    await withoutHistory(db(), async db => {
      for (const table of ['changes', 'files'] as const)
        await db.deleteFrom(table).where('space_id', '=', spaceId).execute()
    })
    const unused = await findUnused(db(), spaceId, 10)
    expect(unused).toHaveLength(1)
    const { deleted } = use(await upload())
    if (deleted) await space.api.delete(`/files/${deleted}`)
    await withMembershipLocked(quiet.service.core.database, spaceId, sql =>
      deleteUnused(sql, spaceId, unused),
    )
    const blobs = await db().selectFrom('blobs').where('space_id', '=', spaceId).select('size').execute()
    expect(blobs).toHaveLength(1)
    expect(await faults()).toEqual([])
  })

  it('loses its oldest changes if it is too large, but keeps the last 5 of each item', async () => {
    await write('a', 8, 50_000)
    await write('b', 8, 50_000)
    await trim({ bytes: 660_000 })
    const some = await kept()
    expect(some).toMatchObject({ b: 8 })
    expect(some.a).toBeLessThan(8)
    await trim({ bytes: 1 })
    expect(await kept()).toEqual({ a: 5, b: 5, bodies: 10 })
    expect(await faults()).toEqual([])
  })

  it('keeps the last 5 versions of deleted items too, even if the versions of existing items alone reach the size limit', async () => {
    await write('gone', 8, 50_000)
    await space.api.delete('/data/gone')
    await write('a', 8, 50_000)
    // Enough for the versions of either item, but not for both.
    await trim({ bytes: 260_000 })
    expect(await kept()).toEqual({ gone: 5, a: 5, bodies: 10 })
    expect(await faults()).toEqual([])
  })

  it('keeps changes of deleted items until these alone exceed the size limit, then loses the oldest', async () => {
    for (const key of ['gone', 'lost']) {
      await write(key, 3, 50_000)
      await space.api.delete(`/data/${key}`)
    }
    await write('a', 8, 50_000)
    const { subdomain, owner } = space
    const [deletion] = (await owner.history.list({ subdomain, thing: 'gone' })).changes
    await trim({ bytes: 310_000 })
    expect(await kept()).toEqual({ gone: 4, lost: 4, a: 6, bodies: 12 })
    await trim({ bytes: 250_000 })
    expect(await kept()).toEqual({ gone: 1, lost: 4, a: 5, bodies: 9 })
    await owner.history.restore({ subdomain, change_id: deletion!.id, side: 'before' })
    expect((await space.api.get('/data/gone')).body).toMatchObject({ value: '2'.padEnd(50_000, 'gone') })
    await trim({ bytes: 1 })
    expect(await kept()).toEqual({ gone: 2, a: 5, bodies: 6 })
    expect(await faults()).toEqual([])
  })

  it('stays bounded if items are created and deleted without end', async () => {
    for (let n = 0; n < 8; n++) {
      for (const key of ['one', 'two']) {
        await write(`${key}-${n}`, 1, 50_000)
        await space.api.delete(`/data/${key}-${n}`)
      }
      await trim({ bytes: 210_000 })
      const { bodies, ...items } = await kept()
      expect(bodies).toBeLessThanOrEqual(4)
      expect(items).toMatchObject({ [`one-${n}`]: 2, [`two-${n}`]: 2 })
    }
    expect(await faults()).toEqual([])
  })

  it('keeps the bytes of existing files, and deletes the bytes that no file or change refers to', async () => {
    const upload = async (content: string) =>
      (await space.api.post<{ id: string }>('/files', { name: 'a.txt', content, encoding: 'text' })).body.id
    const [first] = [await upload('same'), await upload('same'), await upload('stays')]
    await space.api.delete(`/files/${first}`)
    await space.api.delete(`/files/${await upload('goes')}`)
    await trim({ bytes: 1 })
    const blobs = await db().selectFrom('blobs').where('space_id', '=', spaceId).select('size').execute()
    expect(new Set(blobs.map(({ size }) => size))).toEqual(new Set([4, 5]))
    expect(await faults()).toEqual([])
  })
})

/** Backdates all changes of the space by a number of days. */
const age = (days: number) =>
  sql`update writes set at = ${sql.raw(shifted('at', `- interval '${days} days'`))} where space_id = ${spaceId}`.execute(
    db(),
  )

describe('an item whose earlier changes were deleted', () => {
  const trimmed = async () =>
    (await space.owner.history.list({ subdomain: space.subdomain })).changes.map(change => change.trimmed)

  it('is marked as trimmed in the history, and in an undo preview if the undo needs a deleted change', async () => {
    await write('a', 5)
    await age(2)
    await write('a', 4)
    const { changes } = await space.owner.history.list({ subdomain: space.subdomain })
    const yesterday = new Date(Date.now() - DAY).toISOString()
    const undo = { subdomain: space.subdomain, actor: changes[0]!.actor.id, since: yesterday }
    const preview = async () => (await space.owner.history.previewUndo(undo)).steps

    await trim({ versions: 6 }, inDays(91))
    expect(await trimmed()).toEqual([...Array<boolean>(5).fill(false), true])
    expect(await preview()).toMatchObject([{ thing: 'a', effect: 'change', trimmed: false }])

    await trim({ versions: 3 }, inDays(91))
    expect(await trimmed()).toEqual([false, false, true])
    expect(await preview()).toMatchObject([{ thing: 'a', effect: 'change', trimmed: true }])
    await space.owner.history.undo(undo)
    expect((await space.api.get('/data/a')).body).toMatchObject({ value: '0'.padEnd(10, 'a') })
  })
})

describe('the writes of a space', () => {
  const writes = async () =>
    (await db().selectFrom('writes').where('space_id', '=', spaceId).select('revision').execute()).length

  it('are kept for a week after the history has lost their changes', async () => {
    await write('a', 10)
    await trim({ versions: 5, days: 1 }, inDays(6))
    expect([await kept(), await writes()]).toEqual([{ a: 5, bodies: 5 }, 10])
    await trim({ versions: 5, days: 1 }, inDays(8))
    expect(await writes()).toBe(5)
    expect(await faults()).toEqual([])
  })
})
