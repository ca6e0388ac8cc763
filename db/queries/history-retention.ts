import { sql } from 'kysely'
import type { Sql } from '../database.ts'
import type { ChangePlace } from './history.ts'
import { deleteBlobs } from './objects.ts'

/** How much of the history of a space is kept. */
export interface RetentionLimits {
  days: number
  /** Number of versions of each item that are kept even if they are older than `days`. */
  versions: number
  /**
   * Maximum size of a space's history, in bytes. If the history is larger, its oldest changes are deleted even
   * if they are newer than `days`. The last versions of deleted items are kept until they alone exceed this
   * size.
   */
  bytes: number
}

/** Number of versions of each item that are kept regardless of age and of the size of the history. */
const ALWAYS_KEPT = 5

/** Approximate size of a change in bytes, including its index entries but not the body that it replaced. */
const CHANGE_SIZE = 500

/** Writes are kept at least this many days, even without changes: they also tell other programs what happened. */
const DAYS_OF_WRITES = 7

/**
 * Deletes the changes of a space that are no longer kept, in one statement. It needs no lock, because it deletes only
 * changes whose items have newer ones, or are deleted. Of each item, the oldest changes go first.
 *
 * - tier 0, the last versions of existing items: always kept
 * - tier 1, the last versions of deleted items: the newest of them, up to the maximum size
 * - tier 2, all others: the newest of them, up to the maximum size together with tier 0, and no longer than `days` if
 *   the item has `versions` newer ones
 *
 * @returns the revisions of the deleted changes
 */
export const trimChanges = async (
  db: Sql,
  spaceId: string,
  { days, versions, bytes }: RetentionLimits,
  now: Date,
): Promise<string[]> => {
  const old = new Date(now.getTime() - days * 24 * 60 * 60_000)
  const { rows } = await sql<{ revision: string }>`
    with numbered as (
      select kind, thing, revision, size + ${CHANGE_SIZE} as size, row_number() over item as place,
        first_value(after is null) over item as is_gone
      from changes where space_id = ${spaceId}
      window item as (partition by kind, thing order by revision desc)
    ), tiered as (
      select *, case when place > ${ALWAYS_KEPT} then 2 when is_gone then 1 else 0 end as tier from numbered
    ), summed as (
      select *, sum(size) over (partition by tier = 1 order by tier, revision desc, kind, thing) as total from tiered
    ), excess as (
      select kind, thing, revision from summed
      where tier > 0 and total > ${bytes} or place > ${versions} and revision < coalesce((
        select revision from writes where space_id = ${spaceId} and at >= ${old}::timestamptz order by revision limit 1
      ), ${Number.MAX_SAFE_INTEGER}::bigint)
    )
    delete from changes as change using excess
    where change.space_id = ${spaceId} and change.kind = excess.kind and change.thing = excess.thing
      and change.revision = excess.revision
    returning change.revision`.execute(db)
  return rows.map(({ revision }) => revision)
}

/** Deletes the writes of a space that have no changes in the history, once they are old enough. */
export const trimWrites = async (db: Sql, spaceId: string, now: Date): Promise<void> => {
  const old = new Date(now.getTime() - DAYS_OF_WRITES * 24 * 60 * 60_000)
  await sql`
    delete from writes as write
    where space_id = ${spaceId} and at < ${old}::timestamptz and not exists (
      select 1 from changes where changes.space_id = ${spaceId} and changes.revision = write.revision)`.execute(
    db,
  )
}

/** Deletes changes of an item, oldest first. @returns the revisions of those that were deleted, at most `limit` */
export const eraseChanges = async (
  db: Sql,
  spaceId: string,
  { kind, thing }: Pick<ChangePlace, 'kind' | 'thing'>,
  limit: number,
): Promise<string[]> => {
  const { rows } = await sql<{ revision: string }>`
    delete from changes where space_id = ${spaceId} and kind = ${kind} and thing = ${thing} and revision in (
      select revision from changes
      where space_id = ${spaceId} and kind = ${kind} and thing = ${thing}
      order by revision
      limit ${limit})
    returning revision`.execute(db)
  return rows.map(({ revision }) => revision)
}

/** Whether neither a file nor a change refers to bytes. */
const isUnused = (spaceId: string, blob: string) => sql`
  not exists (select 1 from files where files.space_id = ${spaceId} and files.digest = ${sql.ref(`${blob}.digest`)})
  and not exists (
    select 1 from changes where changes.space_id = ${spaceId} and changes.kind in ('file', 'space')
      and changes.before_digest = ${sql.ref(`${blob}.digest`)})`

/** Finds bytes of files and icons that nothing refers to. */
export const findUnused = async (db: Sql, spaceId: string, limit: number): Promise<Buffer[]> => {
  const { rows } = await sql<{ digest: Buffer }>`
    select digest from blobs where space_id = ${spaceId} and ${isUnused(spaceId, 'blobs')}
    limit ${limit}`.execute(db)
  return rows.map(({ digest }) => digest)
}

/**
 * Deletes the bytes that {@link findUnused} found, unless something refers to them by now. Call this function under the
 * lock of the space, so that no concurrent write can start to refer to them.
 */
export const deleteUnused = (db: Sql, spaceId: string, digests: readonly Buffer[]): Promise<void> =>
  deleteBlobs(
    db,
    sql`unused.space_id = ${spaceId} and unused.digest = any(${digests}) and ${isUnused(spaceId, 'unused')}`,
  )

/** The next space ids after an id, in ascending order. */
export const nextSpaceIds = async (db: Sql, after: string, limit: number): Promise<string[]> =>
  (
    await db
      .selectFrom('space_names')
      .where('id', '>', after)
      .select('id')
      .orderBy('id')
      .limit(limit)
      .execute()
  ).map(({ id }) => id)
