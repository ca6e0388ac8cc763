import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

/** Any number will do, as long as it locks nothing else. */
const DELETION_LOCK = 72_119_302

/**
 * Waits until no other account is being deleted, for the rest of the transaction. What two people wrote under each
 * other's posts would be taken away by both deletions, in opposite orders.
 */
export const lockDeletions = (db: Sql) => sql`select pg_advisory_xact_lock(${DELETION_LOCK})`.execute(db)

/**
 * Locks the spaces of an account, in an order that all who do this share, and then the account itself, which
 * nothing new can refer to from then on. Whoever writes to a space locks it before it refers to an account,
 * so the spaces come first here too.
 *
 * @returns whether the account still exists
 */
export const lockAccountWithSpaces = async (db: Sql, accountId: string): Promise<boolean> => {
  const lockSpaces = () =>
    db
      .selectFrom('spaces')
      .where('id', 'in', eb =>
        eb.selectFrom('participants').where('account_id', '=', accountId).select('space_id'),
      )
      .select('id')
      .orderBy('id')
      .forUpdate()
      .execute()
  await lockSpaces()
  const account = await db
    .selectFrom('accounts')
    .where('id', '=', accountId)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  // A space that was made or joined in between is locked now; no other can be.
  await lockSpaces()
  return account !== undefined
}

/** Deletes an account with everything that hangs on it. Files it uploaded stay and forget it. */
export const deleteAccount = (db: Sql, accountId: string) =>
  db.deleteFrom('accounts').where('id', '=', accountId).execute()
