import { type Insertable, sql } from 'kysely'
import { compileOnce, compileOnceRows, preparedRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import type { SpaceWrite } from '../space-write.ts'

const RECORD = ['key', 'value', 'description', 'version', 'updated_at'] as const

/** A space's records, sorted by key. */
export const listData = compileOnceRows((db, spaceId: string) =>
  db.selectFrom('data_records').where('space_id', '=', spaceId).select(RECORD).orderBy('key'),
)

/** A space's records, sorted by key, each with the size of its value in bytes. */
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

type NewRecord = Omit<Required<Insertable<Tables['data_records']>>, 'space_id'>

/**
 * Creates or replaces a record.
 *
 * @param isNew whether no record has this key, as read while the space is locked
 */
export const putData = (
  { sql: db, spaceId }: SpaceWrite,
  record: NewRecord,
  isNew: boolean,
): Promise<unknown> => (isNew ? insertRecord : updateRecord)(db, { ...record, spaceId })

const insertRecord = preparedRows((db, record: NewRecord & { spaceId: string }) =>
  db.insertInto('data_records').values({
    space_id: record.spaceId,
    key: record.key,
    value: record.value,
    size: record.size,
    description: record.description,
    version: record.version,
    updated_at: record.updated_at,
  }),
)

const updateRecord = preparedRows((db, record: NewRecord & { spaceId: string }) =>
  db
    .updateTable('data_records')
    .set({
      value: record.value,
      size: record.size,
      description: record.description,
      version: record.version,
      updated_at: record.updated_at,
    })
    .where('space_id', '=', record.spaceId)
    .where('key', '=', record.key),
)

/**
 * Deletes a record.
 *
 * @returns whether there was such a record
 */
export const deleteData = async ({ sql: db, spaceId }: SpaceWrite, key: string): Promise<boolean> =>
  (await deleteRecord(db, spaceId, key)) !== undefined

const deleteRecord = compileOnce((db, spaceId: string, key: string) =>
  db.deleteFrom('data_records').where('space_id', '=', spaceId).where('key', '=', key).returning('key'),
)
