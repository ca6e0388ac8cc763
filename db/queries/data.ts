import { type Insertable, sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'
import type { SpaceWrite } from '../space-write.ts'
import { changeWithEntry } from './change-with-entry.ts'
import { both, digestOfBody, recordDeletion } from './changes.ts'
import { createWithEntry } from './create-with-entry.ts'

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
  /** The SHA-256 of the current value, in hexadecimal. */
  digest: string | null
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
      max(encode(sha256(convert_to(value, 'UTF8')), 'hex')) filter (where key = ${key}) as digest,
      max(updated_at) filter (where key = ${key}) as updated_at,
      (count(*) filter (where key <> ${key}))::int as other_records,
      coalesce(sum(size) filter (where key <> ${key}), 0)::int as other_bytes
    from data_records where space_id = ${spaceId}`.compile(db),
}))

/** A record before a write, as read while the space is locked. */
type RecordBefore = Pick<NewRecord, 'description' | 'version'> & {
  /** SHA-256 of the record's value. */
  digest: Buffer
}

/** The record in `usage`; undefined if there is none. */
export const recordBefore = ({ version, description, digest }: DataUsage): RecordBefore | undefined =>
  version === null ? undefined : { version, description, digest: Buffer.from(digest!, 'hex') }

/**
 * Creates or replaces a record.
 *
 * @param before the current record; undefined if no record has this key
 */
export const putData = (
  write: SpaceWrite,
  record: NewRecord,
  before: RecordBefore | undefined,
): Promise<unknown> => {
  const { key, value, size, description, version, updated_at } = record
  const digest = digestOfBody(value)
  if (!before)
    return createRecord(
      write,
      key,
      { fields: { name: key, description, version }, digest },
      value,
      size,
      description,
      version,
      updated_at,
    )
  return changeRecord(
    write,
    key,
    {
      before: {
        fields: { name: key, description: before.description, version: before.version },
        digest: before.digest,
      },
      after: { description, version },
      digest,
    },
    value,
    size,
    description,
    version,
    updated_at,
  )
}

type NewRecord = Omit<Required<Insertable<Tables['data_records']>>, 'space_id'>

const createRecord = createWithEntry(
  'record',
  (
    db,
    space_id: string,
    key: string,
    value: string,
    size: number,
    description: NewRecord['description'],
    version: number,
    updated_at: NewRecord['updated_at'],
  ) => db.insertInto('data_records').values({ space_id, key, value, size, description, version, updated_at }),
)

const changeRecord = changeWithEntry(
  'record',
  { table: 'data_records', id: 'key', text: 'value' },
  (
    spaceId: string,
    key: string,
    value: string,
    size: number,
    description: NewRecord['description'],
    version: number,
    updatedAt: NewRecord['updated_at'],
  ) => sql`
    update data_records
    set value = ${value}, size = ${size}, description = ${description}, version = ${version}, updated_at = ${updatedAt}
    where space_id = ${spaceId} and key = ${key}`,
)

/**
 * Deletes a record.
 *
 * @returns whether there was such a record
 */
export const deleteData = async (write: SpaceWrite, key: string): Promise<boolean> =>
  (await both(recordDeletion(write, 'record', key), deleteRecord(write.sql, write.spaceId, key))) !==
  undefined

const deleteRecord = compileOnce((db, spaceId: string, key: string) =>
  db.deleteFrom('data_records').where('space_id', '=', spaceId).where('key', '=', key).returning('key'),
)
