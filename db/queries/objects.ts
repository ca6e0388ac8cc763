import { type RawBuilder, sql } from 'kysely'
import { compileOnceRows } from '../compile-once.ts'
import type { Sql } from '../database.ts'
import type { StoredFile } from '../file-store/file-store.ts'
import type { ObjectRef } from '../file-store/objects.ts'

/** Lists an object as staged. Commit this before the object is written. */
export const stageObject = async (db: Sql, { spaceId, digest, object, size }: StoredFile): Promise<void> => {
  await sql`insert into unused_objects (space_id, digest, object, state, size, since)
    values (${spaceId}, ${digest}, ${object}, 'staged', ${size}, ${new Date()})`.execute(db)
}

/**
 * Gives up staged objects, so that they are deleted. Waits for a transaction that is about to use one of them; does
 * nothing to objects that are in use.
 */
export const giveUpObjects = async (db: Sql, objects: readonly ObjectRef[]): Promise<void> => {
  await sql`update unused_objects set state = 'deleting', since = ${new Date()}
    where state = 'staged' and (space_id, digest, object) in (
      select * from unnest(${objects.map(({ spaceId }) => spaceId)}::text[],
        ${objects.map(({ digest }) => digest)}::bytea[], ${objects.map(({ object }) => object)}::text[]))`.execute(
    db,
  )
}

/**
 * Writes a reference to a staged object into `blobs`, in the row for `digest`. Call this function in the transaction of
 * the write that needs the bytes, under the lock of the space.
 *
 * If the row already contains the bytes, the row does not change. If the row refers to an earlier object, this
 * function replaces that reference, because the earlier object may be damaged.
 *
 * @throws a violation of `blobs_one_place` if the object is no longer staged
 */
export const keepObject = (
  db: Sql,
  spaceId: string,
  digest: Uint8Array,
  object: string,
  size: number,
): Promise<unknown> =>
  // One statement would involve all content servers, see `isDistributed` in `database.ts`.
  Promise.all([
    freeReplacedObject(db, spaceId, digest, object),
    referToObject(db, spaceId, digest, object, size),
    claimObject(db, spaceId, digest, object),
  ])

const freeReplacedObject = compileOnceRows((db, spaceId: string, digest: Uint8Array, object: string) => ({
  compile: () =>
    sql`insert into unused_objects (space_id, digest, object, state, size, since)
      select blob.space_id, blob.digest, blob.object, 'freed', blob.size, now()
      from blobs as blob
        join unused_objects as staged on staged.space_id = blob.space_id and staged.digest = blob.digest
      where blob.space_id = ${spaceId} and blob.digest = ${digest}::bytea and blob.bytes is null
        and staged.object = ${object} and staged.state = 'staged'`.compile(db),
}))

const referToObject = compileOnceRows(
  (db, spaceId: string, digest: Uint8Array, object: string, size: number) => ({
    compile: () =>
      sql`insert into blobs (space_id, digest, object, size)
        select space.id, ${digest}::bytea, staged.object, ${size}::int
        from spaces as space
          left join unused_objects as staged on staged.space_id = space.id and staged.digest = ${digest}::bytea
            and staged.object = ${object} and staged.state = 'staged'
          left join blobs as stored on stored.space_id = space.id and stored.digest = ${digest}::bytea
        where space.id = ${spaceId} and stored.bytes is null
        on conflict (space_id, digest) do update set object = excluded.object`.compile(db),
  }),
)

const claimObject = compileOnceRows((db, spaceId: string, digest: Uint8Array, object: string) => ({
  compile: () =>
    sql`delete from unused_objects
      where space_id = ${spaceId} and digest = ${digest}::bytea and object = ${object} and state = 'staged'
        and exists (select 1 from blobs
          where space_id = ${spaceId} and digest = ${digest}::bytea and object = ${object})`.compile(db),
}))

/**
 * Deletes rows of `blobs`, and frees their objects.
 *
 * @param condition selects the rows to delete; the condition refers to the table `blobs` as `unused`
 */
export const deleteBlobs = async (db: Sql, condition: RawBuilder<unknown>): Promise<void> => {
  await sql`with deleted as (
      delete from blobs as unused where ${condition} returning space_id, digest, object, size
    )
    insert into unused_objects (space_id, digest, object, state, size, since)
    select space_id, digest, object, 'freed', size, now() from deleted where object is not null`.execute(db)
}

/** Whether any bytes are in the file store. */
export const hasObjects = async (db: Sql): Promise<boolean> => {
  const { rows } = await sql<{ yes: boolean }>`
    select exists (select 1 from blobs where object is not null) as yes`.execute(db)
  return rows[0]!.yes
}

/**
 * Marks objects for deletion: those that were staged before `before.staged`, and those that were freed before
 * `before.freed`. If the freed objects of a space have more than `maxFreed` bytes in total, also marks the oldest
 * freed objects of that space.
 */
export const expireObjects = async (
  db: Sql,
  before: { staged: Date; freed: Date },
  maxFreed: number,
): Promise<void> => {
  await sql`update unused_objects as expired set state = 'deleting', since = ${new Date()}
    from (
      select space_id, digest, object, sum(size) over (partition by space_id, state order by since desc, object) as newer
      from unused_objects where state <> 'deleting'
    ) as given
    where given.space_id = expired.space_id and given.digest = expired.digest and given.object = expired.object
      and ((state = 'staged' and since < ${before.staged}::timestamptz)
        or (state = 'freed' and (since < ${before.freed}::timestamptz or newer > ${maxFreed})))`.execute(db)
}

/** Some of the objects to delete, in any order. */
export const listObjectsToDelete = async (db: Sql, limit: number): Promise<ObjectRef[]> => {
  const { rows } = await sql<{ spaceId: string; digest: Buffer; object: string }>`
    select space_id as "spaceId", digest, object from unused_objects
    where state = 'deleting' limit ${limit}`.execute(db)
  return rows
}

/** Removes deleted objects from the list of unused objects. */
export const forgetObjects = async (db: Sql, objects: readonly ObjectRef[]): Promise<void> => {
  await sql`delete from unused_objects
    where state = 'deleting' and (space_id, digest, object) in (
      select * from unnest(${objects.map(({ spaceId }) => spaceId)}::text[],
        ${objects.map(({ digest }) => digest)}::bytea[], ${objects.map(({ object }) => object)}::text[]))`.execute(
    db,
  )
}
