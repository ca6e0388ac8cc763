import { sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql } from '../database.ts'
import { columnsOf } from './item-rows.ts'

const RECORD = columnsOf('record', ['size'])

/** A space's records, sorted by key. */
export const listData = compileOnceRows((db, spaceId: string) =>
  db.selectFrom('data_records').where('space_id', '=', spaceId).select(RECORD).orderBy('key'),
)

/** A space's records, sorted by key, each with the size of its value in bytes. */
export const listDataWithSizes = (db: Sql, spaceId: string) =>
  db
    .selectFrom('data_records')
    .where('space_id', '=', spaceId)
    .select(columnsOf('record'))
    .orderBy('key')
    .execute()

export const findData = compileOnce((db, spaceId: string, key: string) =>
  db.selectFrom('data_records').where('space_id', '=', spaceId).where('key', '=', key).select(RECORD),
)

/**
 * Reads, in one query, the two things that a write to `key` is checked against: the current record, and the usage of
 * all other records.
 */
export const findDataUsage = async (db: Sql, spaceId: string, key: string): Promise<DataUsage> =>
  (await dataUsage(db, spaceId, key))!

interface DataUsage {
  version: number | null
  description: string | null
  updated_at: Date | null
  other_records: number
  other_bytes: number
}

const dataUsage = compileOnce((db, spaceId: string, key: string) => ({
  compile: () =>
    sql<DataUsage>`
    select
      max(version) filter (where key = ${key}) as version,
      max(description) filter (where key = ${key}) as description,
      max(updated_at) filter (where key = ${key}) as updated_at,
      (count(*) filter (where key <> ${key}))::int as other_records,
      coalesce(sum(size) filter (where key <> ${key}), 0)::int as other_bytes
    from data_records where space_id = ${spaceId}`.compile(db),
}))
