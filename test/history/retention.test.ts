import * as fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { withMembershipLocked } from '../../db/locks.ts'
import { sqlOf } from '../../db/orm.ts'
import { deleteUnused, findUnused } from '../../db/queries/history-retention.ts'
import { newMarks, type RetentionLimits, trimHistory } from '../../routers/content/history/trim-history.ts'
import { HISTORY_FAULTS } from '../support/history.ts'
import { explain, isPlanned, rowsRead } from '../support/plans.ts'
import { recorded, useQuietService } from '../support/quiet-service.ts'
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

const db = () => sqlOf(quiet.service.core.orm)
const inDays = (days: number) => new Date(Date.now() + days * DAY)
const trim = (limits: Partial<RetentionLimits>, now = new Date(Date.now() + 1), marks = newMarks()) =>
  trimHistory(quiet.service.core.orm, spaceId, { ...LIMITS, ...limits }, marks, now)
const faults = async () => (await sql.raw(HISTORY_FAULTS).execute(db())).rows

/** Returns how many changes of each item are kept, and how many earlier bodies. */
const kept = async () => {
  const changes = await db().selectFrom('changes').where('space_id', '=', spaceId).select('thing').execute()
  const bodies = await db().selectFrom('bodies').where('space_id', '=', spaceId).select('size').execute()
  const counts: Record<string, number> = { bodies: bodies.length }
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

  it('loses bodies that no change refers to', async () => {
    await write('a', 3)
    for (const table of ['changes', 'data_records'] as const)
      await db().deleteFrom(table).where('space_id', '=', spaceId).execute()
    await trim({})
    expect(await kept()).toEqual({ bodies: 0 })
  })

  it('keeps a body that a new change uses after it was found to be unused', async () => {
    await write('a', 2)
    for (const table of ['changes', 'data_records'] as const)
      await db().deleteFrom(table).where('space_id', '=', spaceId).execute()
    const unused = (await findUnused(db(), spaceId, 10))!
    expect(unused.bodies).toHaveLength(1)
    await write('a', 2)
    await withMembershipLocked(quiet.service.core.orm, spaceId, sql => deleteUnused(sql, spaceId, unused))
    expect(await kept()).toEqual({ a: 2, bodies: 1 })
    expect(await faults()).toEqual([])
  })

  it.each([
    ['a new file has', (id: string) => ({ stays: id, deleted: undefined })],
    ['a new change refers to', (id: string) => ({ stays: undefined, deleted: id })],
  ])('keeps bytes that %s after they were found to be unused', async (_, use) => {
    const upload = async () =>
      (await space.api.post<{ id: string }>('/files', { name: 'a.txt', content: 'same', encoding: 'text' }))
        .body.id
    await upload()
    for (const table of ['changes', 'files'] as const)
      await db().deleteFrom(table).where('space_id', '=', spaceId).execute()
    const unused = (await findUnused(db(), spaceId, 10))!
    expect(unused.blobs).toHaveLength(1)
    const { deleted } = use(await upload())
    if (deleted) await space.api.delete(`/files/${deleted}`)
    await withMembershipLocked(quiet.service.core.orm, spaceId, sql => deleteUnused(sql, spaceId, unused))
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
    expect(await kept()).toEqual({ gone: 4, lost: 4, a: 5, bodies: 11 })
    await trim({ bytes: 250_000 })
    expect(await kept()).toEqual({ gone: 1, lost: 4, a: 5, bodies: 9 })
    await owner.history.restore({ subdomain, change_id: deletion!.id, side: 'before' })
    expect((await space.api.get('/data/gone')).body).toMatchObject({ value: '2'.padEnd(50_000, 'gone') })
    await trim({ bytes: 1 })
    expect(await kept()).toEqual({ gone: 2, a: 5, bodies: 6 })
    expect(await faults()).toEqual([])
  })

  it('stays bounded if items are created and deleted without end', async () => {
    const marks = newMarks()
    for (let n = 0; n < 8; n++) {
      for (const key of ['one', 'two']) {
        await write(`${key}-${n}`, 1, 50_000)
        await space.api.delete(`/data/${key}-${n}`)
      }
      await trim({ bytes: 210_000 }, new Date(Date.now() + 1), marks)
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
  sql`update changes set at = ${sql.raw(shifted('at', `- interval '${days} days'`))} where space_id = ${spaceId}`.execute(
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

describe('an undo of several changes, some of which the history no longer keeps', () => {
  const putByOwner = async (key: string, times: number) => {
    for (let value = 0; value < times; value++)
      await space.owner.data.put({ subdomain: space.subdomain, key, value })
  }

  it('lists the items of the missing changes as skipped, and undoes the changes of other items', async () => {
    const { owner, subdomain } = space
    await write('a', 2)
    await write('b', 1)
    const [latest] = (await owner.history.list({ subdomain, thing: 'a' })).changes
    const { actor, at, id: change_id } = latest!
    const { operation } = await owner.history.restore({ subdomain, change_id, side: 'before' })
    for (const key of ['a', 'of-others']) await putByOwner(key, 8)
    // Trim twice: the second trim must keep what the first one recorded about deleted changes.
    for (const versions of [7, 6]) await trim({ versions }, inDays(91))
    expect(await kept()).toMatchObject({ a: 6, b: 1, 'of-others': 6 })
    const byKey = { subdomain, actor: actor.id, since: '2000-01-01T00:00:00.000Z' }
    const lost = { kind: 'record', thing: 'a', reason: 'no_longer_kept', later: null }
    const { plan } = await owner.history.previewUndo(byKey)
    expect(await owner.history.undo({ ...byKey, plan })).toMatchObject({
      counts: [
        { outcome: 'no_longer_kept', count: 1 },
        { outcome: 'delete', count: 1 },
      ],
      steps: [{ thing: 'b', effect: 'delete' }],
      skipped: [lost],
    })
    expect((await space.api.get('/data/a')).body).toMatchObject({ value: 7 })
    expect(await owner.history.previewUndo({ subdomain, operation: operation! })).toMatchObject({
      steps: [],
      skipped: [lost],
    })
    const since = new Date(Date.parse(at) + 1).toISOString()
    expect((await owner.history.previewUndo({ ...byKey, since })).skipped).toEqual([])
  })
})

describe('trimming a history repeatedly', () => {
  const command = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ write: fc.constantFrom('a', 'b', 'c'), times: fc.integer({ min: 1, max: 4 }) }),
    },
    fc.record({ remove: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ age: fc.constantFrom(2, 4) }),
    fc.record({ trim: fc.constant(true) }),
  )

  const size = fc.constantFrom(12_000, 1_000_000)

  it('deletes the same changes as a trim that checks all changes again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 14 }), size, async (commands, bytes) => {
        for (const table of ['changes', 'bodies', 'data_records'] as const)
          await db().deleteFrom(table).where('space_id', '=', spaceId).execute()
        const limits = { days: 3, versions: 6, bytes }
        const marks = newMarks()
        const trims: [object, object][] = []
        let now = Date.now()
        for (const step of [...commands, { trim: true }]) {
          if ('write' in step) await write(step.write, step.times, 800)
          else if ('remove' in step) await space.api.delete(`/data/${step.remove}`)
          else if ('age' in step) {
            await age(step.age)
            const { next } = marks.old
            if (next) marks.old.next = new Date(next.getTime() - step.age * DAY)
          } else {
            // Trim 11 minutes after the last trim. After this time, a trim measures the size again.
            now += 11 * 60_000
            await trim(limits, new Date(now), marks)
            const found = await kept()
            await trim(limits, new Date(now))
            trims.push([found, await kept()])
          }
        }
        for (const [found, all] of trims) expect(found).toEqual(all)
        expect(await faults()).toEqual([])
      }),
      { numRuns: 6 },
    )
  })

  it('deletes the earlier changes of an item that was deleted after the last trim', async () => {
    const marks = newMarks()
    // Set the time of the trim one millisecond ahead. Only deletions before that time count, and on a fast machine the
    // deletion can happen in the current millisecond.
    const trimAgain = () => trim({ bytes: 1 }, new Date(Date.now() + 1), marks)
    await write('a', 3)
    await trimAgain()
    expect(await kept()).toMatchObject({ a: 3 })
    await space.api.delete('/data/a')
    await trimAgain()
    expect(await kept()).not.toHaveProperty('a')
  })

  it('reads little of a history whose changes are all kept', async () => {
    const items = 1_000
    await write('new', 1)
    await sql`
      insert into changes (space_id, revision, position, at, kind, thing, action, cause, before, after, actor_kind,
        actor, account)
      select space_id, 0, n, at - interval '200 days', 'record', 'item-' || n % ${items}, 'change', 'write', '{}', '{}',
        actor_kind, actor, account
      from changes, generate_series(1, ${items * 5}) as n where space_id = ${spaceId}`.execute(db())
    await sql`analyze changes`.execute(db())
    const marks = newMarks()
    const rowsOf = async (limits: Partial<RetentionLimits>) => {
      const { statements } = await recorded(() => trim(limits, new Date(), marks))
      let rows = 0
      for (const statement of statements.filter(isPlanned))
        rows += rowsRead(await explain(quiet.client, statement))
      return rows
    }
    const limits = { versions: 5, bytes: 1 }
    expect(await rowsOf(limits)).toBeGreaterThan(items * 5)
    expect(await rowsOf(limits)).toBeLessThan(50)
    // Each of these writes gives its item one version more than the limit.
    await write('item-1', 1)
    await write('item-2', 1)
    expect(await rowsOf(limits)).toBeLessThan(200)
    const { 'item-0': other, 'item-1': first, 'item-2': second } = await kept()
    expect([other, first, second]).toEqual([5, 5, 5])
  })
})
