import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { sqlOf } from '../../db/orm.ts'
import { type RetentionLimits, trimHistory } from '../../routers/content/history/retention.ts'
import { HISTORY_FAULTS } from '../support/history.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()
const DAY = 24 * 60 * 60_000
const LIMITS: RetentionLimits = { days: 90, versions: 6, bytes: 1_000_000_000 }

let space: TestSpace
let spaceId: string
beforeEach(async () => {
  space = await service.createSpace()
  const row = await db().selectFrom('spaces').where('subdomain', '=', space.subdomain).select('id').execute()
  spaceId = row[0]!.id
})

const db = () => sqlOf(service.core.orm)
const inDays = (days: number) => new Date(Date.now() + days * DAY)
const trim = (limits: Partial<RetentionLimits>, now = new Date()) =>
  trimHistory(service.core.orm, spaceId, { ...LIMITS, ...limits }, now)
const faults = async () => (await sql.raw(HISTORY_FAULTS).execute(db())).rows

/** Returns the number of kept changes of each item, and of kept earlier bodies. */
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

  it('keeps the latest changes of each item even after that', async () => {
    await write('a', 10)
    await write('b', 3)
    await trim({}, inDays(91))
    expect(await kept()).toEqual({ a: 6, b: 3, bodies: 8 })
    expect(await faults()).toEqual([])
  })

  it('loses the changes of items that were deleted long ago', async () => {
    await write('a', 3)
    await space.api.delete('/data/a')
    await trim({}, inDays(89))
    expect(await kept()).toEqual({ a: 4, bodies: 3 })
    await trim({}, inDays(91))
    expect(await kept()).toEqual({ bodies: 0 })
  })

  it('that is too large loses its oldest changes, but keeps the last 5 of each item', async () => {
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

  it('keeps the bytes of existing files, and deletes the bytes that no file or change refers to', async () => {
    const upload = async (content: string) =>
      (await space.api.post<{ id: string }>('/files', { name: 'a.txt', content, encoding: 'text' })).body.id
    const [first] = [await upload('same'), await upload('same'), await upload('stays')]
    await space.api.delete(`/files/${first}`)
    await space.api.delete(`/files/${await upload('goes')}`)
    await trim({}, inDays(91))
    const blobs = await db().selectFrom('blobs').where('space_id', '=', spaceId).select('size').execute()
    expect(new Set(blobs.map(({ size }) => size))).toEqual(new Set([4, 5]))
    expect(await faults()).toEqual([])
  })
})
