import { sql } from 'kysely'
import type { Sql } from '../orm.ts'
import type { ChangePlace } from './history.ts'

/** Approximate size of a change in bytes, including its index entries but not the bodies that it refers to. */
const CHANGE_SIZE = 500

/** The size of a space's history in bytes: its changes, and the bodies and bytes that only the history needs. */
export const historySize = async (db: Sql, spaceId: string): Promise<number> => {
  const { rows } = await sql<{ size: string }>`
    select (select coalesce(sum(size), 0) from bodies where space_id = ${spaceId})
      + (select coalesce(sum(size), 0) from blobs where space_id = ${spaceId}
          and not exists (select from files where files.space_id = ${spaceId} and files.digest = blobs.digest))
      + ${CHANGE_SIZE} * (select count(*) from changes where space_id = ${spaceId}) as size`.execute(db)
  return Number(rows[0]!.size)
}

/** A change, and the bytes that deleting it frees if nothing else refers to its earlier body. */
export type SizedChange = ChangePlace & { at: Date; size: number }

/** The next changes after a position in a space's history, oldest first. */
export const nextChanges = async (
  db: Sql,
  spaceId: string,
  after: ChangePlace,
  limit: number,
): Promise<SizedChange[]> => {
  const { rows } = await sql<SizedChange>`
    select change.revision, change.position, change.at,
      ${CHANGE_SIZE} + coalesce(body.size, blob.size, 0) as size
    from changes as change
      left join bodies as body on body.space_id = change.space_id and body.digest = change.before_digest
      left join blobs as blob on blob.space_id = change.space_id and blob.digest = change.before_digest
    where change.space_id = ${spaceId}
      and (change.revision, change.position) > (${after.revision}::bigint, ${after.position}::int)
    order by change.revision, change.position
    limit ${limit}`.execute(db)
  return rows
}

/**
 * Of the given changes, deletes each one that has at least `versions` newer changes of the same item, and each one of
 * an item that was deleted before `deletedBefore`.
 *
 * @returns how many were deleted
 */
export const deleteChanges = async (
  db: Sql,
  spaceId: string,
  places: readonly ChangePlace[],
  { versions, deletedBefore }: { versions: number; deletedBefore: Date },
): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    with deleted as (
      delete from changes as old
      using unnest(${places.map(({ revision }) => revision)}::bigint[], ${places.map(({ position }) => position)}::int[])
        as given (revision, position)
      where old.space_id = ${spaceId} and old.revision = given.revision and old.position = given.position
        and (
          exists (
            select from changes as newer
            where newer.space_id = ${spaceId} and newer.kind = old.kind and newer.thing = old.thing
              and (newer.revision, newer.position) > (old.revision, old.position)
            order by newer.revision, newer.position
            offset ${versions - 1} limit 1
          )
          or (
            select newest.action = 'delete' and newest.at < ${deletedBefore}::timestamptz from changes as newest
            where newest.space_id = ${spaceId} and newest.kind = old.kind and newest.thing = old.thing
            order by newest.revision desc, newest.position desc
            limit 1
          )
        )
      returning 1
    )
    select count(*)::int as n from deleted`.execute(db)
  return rows[0]!.n
}

/** Bodies and bytes of a space that nothing refers to, as of a revision. */
export interface Unused {
  revision: string
  bodies: Buffer[]
  blobs: Buffer[]
}

/** Finds bodies and bytes that nothing refers to. Undefined when the space was deleted. */
export const findUnused = async (db: Sql, spaceId: string, limit: number): Promise<Unused | undefined> => {
  const { rows } = await sql<Unused>`
    select space.revision,
      array(
        select digest from bodies where bodies.space_id = space.id and not exists (
          select from changes where changes.space_id = space.id and changes.before_digest = bodies.digest)
        limit ${limit}
      ) as bodies,
      array(
        select digest from blobs where blobs.space_id = space.id
          and not exists (
            select from changes where changes.space_id = space.id and changes.before_digest = blobs.digest)
          and not exists (select from files where files.space_id = space.id and files.digest = blobs.digest)
        limit ${limit}
      ) as blobs
    from spaces as space where space.id = ${spaceId}`.execute(db)
  return rows[0]
}

/**
 * Deletes bodies and bytes that were unused, except those that a later change refers to. Call under the space's lock:
 * a concurrent write could refer to one of them.
 */
export const deleteUnused = async (db: Sql, spaceId: string, unused: Unused): Promise<void> => {
  for (const table of ['bodies', 'blobs'] as const)
    await sql`
      delete from ${sql.table(table)} as unused
      where unused.space_id = ${spaceId} and unused.digest = any(${unused[table]})
        and not exists (
          select from changes where changes.space_id = ${spaceId} and changes.revision > ${unused.revision}::bigint
            and changes.before_digest = unused.digest)
        and not exists (
          select from files where files.space_id = ${spaceId} and files.digest = unused.digest)`.execute(db)
}

/** The next space ids after an id, in ascending order. */
export const nextSpaceIds = async (db: Sql, after: string, limit: number): Promise<string[]> =>
  (
    await db.selectFrom('spaces').where('id', '>', after).select('id').orderBy('id').limit(limit).execute()
  ).map(({ id }) => id)
