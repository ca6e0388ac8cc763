import { sql } from 'kysely'
import type { Sql } from '../database.ts'
import type { StoredBytes } from '../file-store/content.ts'
import type { StoredFile } from '../file-store/file-store.ts'

/** Where the bytes of files are: in the database or in the file store. */
export type Place = 'database' | 'store'

/** A row of `blobs` without its bytes. */
export interface Kept {
  spaceId: string
  digest: Buffer
  size: number
  /** Null if the bytes are in the database. */
  object: string | null
}

/** Number of rows that one query reads, so that it is fast in a large database too. */
const SLICE = 1_000

/**
 * Yields slices of the rows whose bytes are in `place` and can be moved to the other place. A slice can be empty. The
 * bytes of replaced or removed icons stay in the database, so restoring such an icon needs no file store.
 */
export async function* keptIn(db: Sql, place: Place): AsyncGenerator<Kept[], void, void> {
  let after = { spaceId: '', digest: Buffer.alloc(0) as Buffer }
  for (;;) {
    const { rows } = await sql<Kept & { place: Place | null }>`
      select space_id as "spaceId", digest, size, object,
        case when object is not null then 'store'
          when not exists (
            select 1 from changes where changes.space_id = blobs.space_id and changes.kind = 'space'
              and changes.thing = 'icon' and changes.before_digest = blobs.digest
          ) then 'database' end as place
      from blobs
      where (space_id, digest) > (${after.spaceId}, ${after.digest}::bytea)
      order by space_id, digest limit ${SLICE}`.execute(db)
    yield rows.filter(row => row.place === place)
    if (rows.length < SLICE) return
    after = rows.at(-1)!
  }
}

/** The bytes, or the object that has them; undefined if the bytes were deleted. */
export const findKept = async (
  db: Sql,
  { spaceId, digest }: Pick<Kept, 'spaceId' | 'digest'>,
): Promise<StoredBytes | undefined> => {
  const { rows } = await sql<{ base64: string | null; object: string | null; size: number }>`
    select encode(bytes, 'base64') as base64, object, size from blobs
    where space_id = ${spaceId} and digest = ${digest}::bytea`.execute(db)
  const [row] = rows
  return (
    row && {
      bytes: row.base64 === null ? null : Buffer.from(row.base64, 'base64'),
      object: row.object,
      size: row.size,
    }
  )
}

/**
 * Replaces bytes in the database with a staged object that has the same bytes. Call under the lock of the
 * space.
 *
 * @returns false if the bytes were deleted or moved meanwhile
 */
export const moveToObject = async (db: Sql, { spaceId, digest, object }: StoredFile): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    with claimed as (
      delete from unused_objects
      where space_id = ${spaceId} and digest = ${digest}::bytea and object = ${object} and state = 'staged'
        and exists (select 1 from blobs where space_id = ${spaceId} and digest = ${digest}::bytea and bytes is not null)
      returning object
    )
    update blobs set bytes = null, object = claimed.object from claimed
    where space_id = ${spaceId} and digest = ${digest}::bytea`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Stores the bytes of an object in the database, and frees the object. Call under the lock of the space.
 *
 * @returns false if the bytes were deleted or moved meanwhile
 */
export const moveToDatabase = async (
  db: Sql,
  { spaceId, digest, object }: StoredFile,
  bytes: Buffer,
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    with freed as (
      insert into unused_objects (space_id, digest, object, state, size, since)
      select space_id, digest, object, 'freed', size, now() from blobs
      where space_id = ${spaceId} and digest = ${digest}::bytea and object = ${object}
    )
    update blobs set bytes = ${bytes}, object = null
    where space_id = ${spaceId} and digest = ${digest}::bytea and object = ${object}`.execute(db)
  return numAffectedRows === 1n
}
