import { sql } from 'kysely'
import type { Sql } from '../orm.ts'
import type { ChangeKind } from './changes.ts'
import type { ChangePlace } from './history.ts'
import { deleteBlobs } from './objects.ts'

/** Approximate size of a change in bytes, including its index entries but not the bodies that it refers to. */
const CHANGE_SIZE = 500

/** The size of a space's history in bytes: its changes, and the bodies and bytes that only the history needs. */
export const historySize = async (db: Sql, spaceId: string): Promise<number> => {
  const { rows } = await sql<{ size: string }>`
    select (select coalesce(sum(size), 0) from bodies where space_id = ${spaceId})
      + (select coalesce(sum(size), 0) from blobs where space_id = ${spaceId}
          and not exists (select 1 from files where files.space_id = ${spaceId} and files.digest = blobs.digest))
      + ${CHANGE_SIZE} * (select count(*) from changes where space_id = ${spaceId}) as size`.execute(db)
  return Number(rows[0]!.size)
}

/** Like {@link historySize}, for the changes of the items that are currently deleted. */
export const deletedSize = async (db: Sql, spaceId: string): Promise<number> => {
  const { rows } = await sql<{ size: string }>`
    with newest as (
      select distinct on (kind, thing) kind, thing, action from changes where space_id = ${spaceId}
      order by kind, thing, revision desc, position desc
    ), change as materialized (
      select before_digest from changes join newest using (kind, thing)
      where changes.space_id = ${spaceId} and newest.action = 'delete'
    )
    select (select coalesce(sum(size), 0) from bodies
        where space_id = ${spaceId} and digest in (select before_digest from change))
      + (select coalesce(sum(size), 0) from blobs
          where space_id = ${spaceId} and digest in (select before_digest from change)
            and not exists (select 1 from files where files.space_id = ${spaceId} and files.digest = blobs.digest))
      + ${CHANGE_SIZE} * (select count(*) from change) as size`.execute(db)
  return Number(rows[0]!.size)
}

/**
 * Returns the total size, in bytes, of all changes after a given place in a space's history. These changes have
 * enlarged the history by at most this size. The true growth is smaller if the history already had some of the bodies
 * before these changes.
 */
export const growthSince = async (db: Sql, spaceId: string, after: ChangePlace): Promise<number> => {
  const { rows } = await sql<{ size: string | null }>`
    select sum(${SIZE}) as size from changes as change ${BODY_OF(spaceId)}
    where change.space_id = ${spaceId} and ${isAfter(after)}`.execute(db)
  return Number(rows[0]!.size ?? 0)
}

/**
 * A change, with its size in bytes. The size includes the body from before the change. Deleting the change frees
 * that body if nothing else refers to it.
 */
export interface SizedChange extends ChangePlace {
  size: number
}

/** A change to an item. */
export interface ItemChange extends ChangePlace {
  kind: ChangeKind
  thing: string
}

/** Decides which changes are kept. */
export interface KeptRules {
  /** A change is deleted if its item has this many newer changes. */
  versions: number
  /**
   * A deleted item loses all its changes if the item was deleted before this time. If null, a deleted item is treated
   * like any other item.
   */
  deletedBefore: Date | null
}

const SIZE = sql`${CHANGE_SIZE} + coalesce(body.size, blob.size, 0)`

const BODY_OF = (spaceId: string) => sql`
  left join bodies as body on body.space_id = ${spaceId} and body.digest = change.before_digest
  left join blobs as blob on blob.space_id = ${spaceId} and blob.digest = change.before_digest`

const isAfter = ({ revision, position }: ChangePlace) =>
  sql`(change.revision, change.position) > (${revision}::bigint, ${position}::int)`

const timeOf = (time: Date | null) => sql`${time ?? '-infinity'}::timestamptz`

/** Whether a row of `change` is excess: the rules do not keep it, so it can be deleted. */
const isExcess = (spaceId: string, { versions, deletedBefore }: KeptRules) => sql<boolean>`(
  exists (
    select 1 from changes as newer
    where newer.space_id = ${spaceId} and newer.kind = change.kind and newer.thing = change.thing
      and (newer.revision, newer.position) > (change.revision, change.position)
    order by newer.revision, newer.position
    offset ${versions - 1} limit 1
  ) or (
    select newest.action = 'delete' and newest.at < ${timeOf(deletedBefore)} from changes as newest
    where newest.space_id = ${spaceId} and newest.kind = change.kind and newest.thing = change.thing
    order by newest.revision desc, newest.position desc
    limit 1
  ))`

/** Returns the place of the last change in a space's history; undefined if the history is empty. */
export const lastPlace = async (db: Sql, spaceId: string): Promise<ChangePlace | undefined> => {
  const { rows } = await sql<ChangePlace>`
    select revision, position from changes where space_id = ${spaceId}
    order by revision desc, position desc limit 1`.execute(db)
  return rows[0]
}

/** The next changes after a place, oldest first. */
export const changesAfter = async (
  db: Sql,
  spaceId: string,
  after: ChangePlace,
  limit: number,
): Promise<ItemChange[]> => {
  const { rows } = await sql<ItemChange>`
    select revision, position, kind, thing from changes as change
    where space_id = ${spaceId} and ${isAfter(after)}
    order by revision, position
    limit ${limit}`.execute(db)
  return rows
}

interface NextChange extends SizedChange, ItemChange {
  at: Date
  isDue: boolean
  isDeletion: boolean
  isExcess: boolean
}

/**
 * Returns the next changes after a place in a space's history, oldest first.
 *
 * - `isDue`: the change is older than the time `before`, or `before` is null
 * - `isExcess`: the change is due, and the rules do not keep the change
 */
export const nextChanges = async (
  db: Sql,
  spaceId: string,
  { after, before, limit }: { after: ChangePlace; before: Date | null; limit: number },
  rules: KeptRules,
): Promise<NextChange[]> => {
  const isDue = before === null ? sql`true` : sql`change.at < ${before}::timestamptz`
  const { rows } = await sql<NextChange>`
    select change.revision, change.position, change.kind, change.thing, change.at, ${SIZE} as size,
      ${isDue} as "isDue", change.action = 'delete' as "isDeletion",
      case when ${isDue} then ${isExcess(spaceId, rules)} else false end as "isExcess"
    from changes as change ${BODY_OF(spaceId)}
    where change.space_id = ${spaceId} and ${isAfter(after)}
    order by change.revision, change.position
    limit ${limit}`.execute(db)
  return rows
}

/**
 * Returns the excess changes of the given items, oldest first. A change is excess if the rules do not keep the change.
 * Leaves out changes after `upTo`.
 */
export const excessChangesOf = async (
  db: Sql,
  spaceId: string,
  items: readonly { kind: ChangeKind; thing: string }[],
  upTo: ChangePlace,
  { versions, deletedBefore }: KeptRules,
): Promise<SizedChange[]> => {
  const { rows } = await sql<SizedChange>`
    with item as materialized (
      select distinct kind, thing
      from unnest(${items.map(({ kind }) => kind)}::text[], ${items.map(({ thing }) => thing)}::text[]) as given (kind, thing)
    )
    select change.revision, change.position, ${SIZE} as size
    from item
      cross join lateral (
        select case when action = 'delete' and at < ${timeOf(deletedBefore)} then 0 else ${versions} end as kept
        from changes
        where space_id = ${spaceId} and kind = item.kind and thing = item.thing
        order by revision desc, position desc
        limit 1
      ) as newest
      cross join lateral (
        select revision, position, before_digest from changes
        where space_id = ${spaceId} and kind = item.kind and thing = item.thing
        order by revision desc, position desc
        offset newest.kept
      ) as change ${BODY_OF(spaceId)}
    where (change.revision, change.position) <= (${upTo.revision}::bigint, ${upTo.position}::int)
    order by change.revision, change.position`.execute(db)
  return rows
}

/** Maximum number of ids of actors and operations that one `trimmed_by` contains. */
const REMEMBERED = 50

/**
 * Deletes the given changes, except those that the rules keep. For each item, marks the first change after the deleted
 * ones:
 *
 * - `trimmed_until` is the time of the last deleted change
 * - `trimmed_by` lists the actors and operations of the deleted changes
 *
 * @returns how many were deleted
 */
export const deleteChanges = async (
  db: Sql,
  spaceId: string,
  places: readonly ChangePlace[],
  rules: KeptRules,
): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    with deleted as (
      delete from changes as change
      using unnest(${places.map(({ revision }) => revision)}::bigint[], ${places.map(({ position }) => position)}::int[])
        as given (revision, position)
      where change.space_id = ${spaceId} and change.revision = given.revision and change.position = given.position
        and ${isExcess(spaceId, rules)}
      returning change.kind, change.thing, change.revision, change.position, change.at, change.actor, change.operation,
        change.trimmed_by
    ), maker as (
      select kind, thing, maker.id, max(maker.at) as at,
        row_number() over (partition by kind, thing order by max(maker.at) desc, maker.id) as place
      from deleted cross join lateral (
        values (actor, at), (operation, at)
        union all select key, value::timestamptz from jsonb_each_text(trimmed_by)
      ) as maker (id, at)
      where maker.id is not null
      group by kind, thing, maker.id
    ), last as (
      select distinct on (kind, thing) * from deleted order by kind, thing, revision desc, position desc
    ), marked as (
      update changes as oldest
      set trimmed_until = last.at, trimmed_by = (
        select jsonb_object_agg(id, at) from maker
        where maker.kind = last.kind and maker.thing = last.thing and place <= ${REMEMBERED})
      from last cross join lateral (
        select revision, position from changes
        where space_id = ${spaceId} and kind = last.kind and thing = last.thing
          and (revision, position) > (last.revision, last.position)
        order by revision, position
        limit 1
      ) as next
      where oldest.space_id = ${spaceId} and oldest.revision = next.revision and oldest.position = next.position
    )
    select count(*)::int as n from deleted`.execute(db)
  return rows[0]!.n
}

/** Deletes changes of an item, oldest first. @returns how many were deleted, at most `limit` */
export const eraseChanges = async (
  db: Sql,
  spaceId: string,
  { kind, thing }: { kind: ChangeKind; thing: string },
  limit: number,
): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from changes where space_id = ${spaceId} and (revision, position) in (
      select revision, position from changes
      where space_id = ${spaceId} and kind = ${kind} and thing = ${thing}
      order by revision, position
      limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}

/** Unused bodies and bytes of a space. At `revision`, nothing referred to them. */
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
        select digest from bodies where bodies.space_id = ${spaceId} and not exists (
          select 1 from changes where changes.space_id = ${spaceId} and changes.before_digest = bodies.digest)
        limit ${limit}
      ) as bodies,
      array(
        select digest from blobs where blobs.space_id = ${spaceId}
          and not exists (
            select 1 from changes where changes.space_id = ${spaceId} and changes.before_digest = blobs.digest)
          and not exists (select 1 from files where files.space_id = ${spaceId} and files.digest = blobs.digest)
        limit ${limit}
      ) as blobs
    from spaces as space where space.id = ${spaceId}`.execute(db)
  return rows[0]
}

/**
 * Deletes the bodies and bytes that {@link findUnused} found, unless a newer change or a file refers to them now. Call
 * this function under the lock of the space, so that no concurrent write can start to refer to them.
 */
export const deleteUnused = async (db: Sql, spaceId: string, unused: Unused): Promise<void> => {
  const isUnused = (digests: readonly Buffer[]) => sql`
      unused.space_id = ${spaceId} and unused.digest = any(${digests})
        and not exists (
          select 1 from changes where changes.space_id = ${spaceId} and changes.revision > ${unused.revision}::bigint
            and changes.before_digest = unused.digest)
        and not exists (
          select 1 from files where files.space_id = ${spaceId} and files.digest = unused.digest)`
  await sql`delete from bodies as unused where ${isUnused(unused.bodies)}`.execute(db)
  await deleteBlobs(db, isUnused(unused.blobs))
}

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
