import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Sql } from '../database.ts'
import type { SpaceWrite } from '../space-write.ts'

export type IconOwner = { space_id: string } | { account_id: string }

/** Deletes the icon of a space or an account, if it has one. */
export const deleteIcon = (db: Sql, owner: IconOwner) => {
  const [column, id] = Object.entries(owner)[0] as ['space_id' | 'account_id', string]
  return db.deleteFrom('icons').where(column, '=', id).execute()
}

/** Replaces an icon; the new id gives it a new URL. Call in a transaction that has locked the owner. */
export const replaceIcon = async (db: Sql, owner: IconOwner, icon: { id: string; png: Buffer }) => {
  await deleteIcon(db, owner)
  await db
    .insertInto('icons')
    .values({ ...icon, ...owner })
    .execute()
}

/** Sets the icon of a space. The bytes of the previous icon stay in the space's history. */
export const setSpaceIcon = async (write: SpaceWrite, icon: { id: string; png: Buffer }): Promise<void> => {
  await keepSpaceIcon(write)
  await replaceIcon(write.sql, { space_id: write.spaceId }, icon)
}

/** Removes the icon of a space, if it has one. Its bytes stay in the space's history. */
export const removeSpaceIcon = async (write: SpaceWrite): Promise<void> => {
  await keepSpaceIcon(write)
  await deleteIcon(write.sql, { space_id: write.spaceId })
}

/**
 * Copies the current icon's bytes to `blobs` for the history. The bytes of icons are always in the database, so that
 * restoring an icon does not wait for the file store while the space is locked.
 */
const keepSpaceIcon = async ({ sql: db, spaceId }: SpaceWrite): Promise<void> => {
  const icon = await findSpaceIcon(db, spaceId)
  if (!icon) return
  const digest = hash('sha256', icon.png, 'buffer')
  await Promise.all([
    sql`insert into unused_objects (space_id, digest, object, state, size, since)
      select space_id, digest, object, 'freed', size, now() from blobs
      where space_id = ${spaceId} and digest = ${digest}::bytea and object is not null`.execute(db),
    sql`insert into blobs (space_id, digest, bytes, size)
      values (${spaceId}, ${digest}, ${icon.png}, ${icon.png.length})
      on conflict (space_id, digest) do update set bytes = excluded.bytes, object = null where blobs.object is not null`.execute(
      db,
    ),
  ])
}

/** The icon of a space; undefined if it has none. */
export const findSpaceIcon = (db: Sql, spaceId: string) =>
  db.selectFrom('icons').where('space_id', '=', spaceId).select('png').executeTakeFirst()

export const findIcon = (db: Sql, id: string) =>
  db.selectFrom('icons').where('id', '=', id).select('png').executeTakeFirst()
