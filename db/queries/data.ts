import { type Insertable, sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'

const RECORD = ['key', 'value', 'description', 'version', 'updated_at'] as const

/** A space's records by key. */
export const listData = compileOnceRows((db, spaceId: string) =>
  db.selectFrom('data_records').where('space_id', '=', spaceId).select(RECORD).orderBy('key'),
)

/** A space's records by key, each with the size of its value in bytes. */
export const listDataWithSizes = (db: Sql, spaceId: string) =>
  db
    .selectFrom('data_records')
    .where('space_id', '=', spaceId)
    .select([...RECORD, 'size'])
    .orderBy('key')
    .execute()

export const findData = compileOnce((db, spaceId: string, key: string) =>
  db.selectFrom('data_records').where('space_id', '=', spaceId).where('key', '=', key).select(RECORD),
)

/**
 * Reads what a write to `key` is checked against, in one query: the current record, and the usage of all other records.
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

/** Creates or replaces a record. */
export const putData = (db: Sql, record: NewRecord) =>
  upsertData(
    db,
    record.space_id,
    record.key,
    record.value,
    record.size,
    record.description,
    record.version,
    record.updated_at,
  )

type NewRecord = Required<Insertable<Tables['data_records']>>

const upsertData = compileOnceRows(
  (
    db,
    space_id: string,
    key: string,
    value: string,
    size: number,
    description: NewRecord['description'],
    version: number,
    updated_at: NewRecord['updated_at'],
  ) => {
    const fields = { value, size, description, version, updated_at }
    return db
      .insertInto('data_records')
      .values({ space_id, key, ...fields })
      .onConflict(conflict => conflict.columns(['space_id', 'key']).doUpdateSet(fields))
  },
)

/** @returns whether there was such a record */
export const deleteData = async (db: Sql, spaceId: string, key: string): Promise<boolean> =>
  (await db
    .deleteFrom('data_records')
    .where('space_id', '=', spaceId)
    .where('key', '=', key)
    .returning('key')
    .executeTakeFirst()) !== undefined
