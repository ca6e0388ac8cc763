import { sql } from 'kysely'
import { advisoryLocks } from '../advisory-locks.ts'
import type { Sql } from '../orm.ts'

/**
 * Makes account deletions run one at a time. Otherwise, concurrent deletions of two people who commented on each
 * other's posts would lock rows in opposite orders and deadlock.
 */
export const lockDeletions = (db: Sql) =>
  sql`select pg_advisory_xact_lock(${advisoryLocks.accountDeletion})`.execute(db)

/**
 * Locks the spaces of an account in a fixed order, and then the account. While the account is locked, no new row can
 * reference the account. Spaces come before the account because a write to a space's participants uses this order too:
 * the write locks the space first, and references an account after that.
 *
 * @returns whether the account still exists
 */
export const lockAccountWithSpaces = async (db: Sql, accountId: string): Promise<boolean> => {
  const lockSpaces = async () => {
    const participants = await db
      .selectFrom('participants')
      .where('account_id', '=', accountId)
      .select('space_id')
      .orderBy('space_id')
      .execute()
    // One statement for each space, because spaces can be on several servers.
    for (const { space_id } of participants)
      await db.selectFrom('spaces').where('id', '=', space_id).select('id').forUpdate().execute()
  }
  await lockSpaces()
  const account = await db
    .selectFrom('accounts')
    .where('id', '=', accountId)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  // Also lock spaces that the account joined meanwhile. The account is locked now, so it cannot join more.
  await lockSpaces()
  return account !== undefined
}

/**
 * Deletes an account, its notifications, the history of its posts and, by cascade, the rows that depend on it. Files
 * that it uploaded stay; without the account, they have no uploader.
 */
export const deleteAccount = async (db: Sql, accountId: string): Promise<void> => {
  await db.deleteFrom('accounts').where('id', '=', accountId).execute()
  // These rows have no foreign key, so delete them last. Now no more such rows can be added: every write that changed a
  // post or commented on a post has committed, and no new write can start.
  await db.deleteFrom('post_changes').where('account_id', '=', accountId).execute()
  await db.deleteFrom('notifications').where('account_id', '=', accountId).execute()
}
