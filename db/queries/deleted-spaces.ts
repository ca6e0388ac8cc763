import { sql } from 'kysely'
import type { Sql } from '../orm.ts'
import { deleteBlobs } from './objects.ts'
import { lockMembership } from './spaces.ts'

/**
 * Deletes a space from the directory, with its participants, its keys and all its other rows there. From then on,
 * nobody can find it. Call in a transaction of its own, before `deleteContent`.
 */
export const deleteFromDirectory = async (db: Sql, spaceId: string): Promise<void> => {
  await lockMembership(db, spaceId)
  await db.deleteFrom('space_names').where('id', '=', spaceId).execute()
  await db
    .insertInto('deleted_spaces')
    .values({ id: spaceId })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

/** The ids of deleted spaces whose content has not been deleted yet, in any order. */
export const listUnfinishedDeletions = async (db: Sql, limit: number): Promise<string[]> =>
  (await db.selectFrom('deleted_spaces').select('id').limit(limit).execute()).map(({ id }) => id)

/** Marks the deletion of a space as complete. Call after its content was deleted. */
export const forgetDeletion = (db: Sql, spaceId: string) =>
  db.deleteFrom('deleted_spaces').where('id', '=', spaceId).execute()

/** Returns ids of spaces that were created before `before`: the next ids above `after`, in ascending order. */
export const nextContent = async (db: Sql, after: string, before: Date, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('spaces')
    .where('id', '>', after)
    .where('created_at', '<', before)
    .select('id')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the given ids that are not in the directory. */
export const missingInDirectory = async (db: Sql, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.selectFrom('space_names').where('id', 'in', ids).select('id').execute()
  const found = new Set(rows.map(({ id }) => id))
  return ids.filter(id => !found.has(id))
}

/** Deletes the content of a space, and its history. Call in a transaction, after `deleteFromDirectory`. */
export const deleteContent = async (db: Sql, spaceId: string): Promise<void> => {
  // Deleting a long history can exceed the time limit of statements.
  await sql`set local statement_timeout = 0`.execute(db)
  await db.deleteFrom('spaces').where('id', '=', spaceId).execute()
  for (const table of ['changes', 'writes'] as const)
    await db.deleteFrom(table).where('space_id', '=', spaceId).execute()
  await deleteBlobs(db, sql`unused.space_id = ${spaceId}`)
}
