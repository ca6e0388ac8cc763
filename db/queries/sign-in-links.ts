import { type Insertable, sql } from 'kysely'
import type { Sql, Tables } from '../orm.ts'
import { lockAccount } from './accounts.ts'

/** Stores a link and forgets those that have expired. */
export const insertSignInLink = async (db: Sql, link: Insertable<Tables['sign_in_links']>, now: Date) => {
  await db.deleteFrom('sign_in_links').where('expires_at', '<=', now).execute()
  await db.insertInto('sign_in_links').values(link).execute()
}

/** What a link is for, and whose account it opens; nothing when it was used or has expired. */
export const findSignInLink = (db: Sql, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('sign_in_links as link')
    .leftJoin('accounts as account', 'account.id', 'link.account_id')
    .where('link.token_hash', '=', tokenHash)
    .where('link.expires_at', '>', now)
    .select(['link.purpose as purpose', 'account.handle as handle'])
    .executeTakeFirst()

/**
 * Takes a link of an account away, under the account's lock; of two who use it at once, one gets it.
 *
 * @returns whose account it opens; nothing when it was used, has expired or is for something else
 */
export const takeSignInLink = async (db: Sql, purpose: 'sign_in' | 'reset', tokenHash: Buffer, now: Date) => {
  const link = await db
    .selectFrom('sign_in_links as link')
    .innerJoin('accounts as account', 'account.id', 'link.account_id')
    .where('link.token_hash', '=', tokenHash)
    .where('link.purpose', '=', purpose)
    .where('link.expires_at', '>', now)
    .select(['account.id as id', 'account.handle as handle'])
    .executeTakeFirst()
  if (!link || !(await lockAccount(db, link.id))) return undefined
  const taken = await db
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', tokenHash)
    .returning('purpose')
    .executeTakeFirst()
  return taken && link
}

/** Ends every link of an account. */
export const deleteSignInLinksOf = (db: Sql, accountId: string) =>
  db.deleteFrom('sign_in_links').where('account_id', '=', accountId).execute()

/** Any number will do, as long as it locks nothing else. */
const SET_UP_LOCK = 72_119_303

/** Waits, for the rest of the transaction, until nobody else is about to make the first account. */
export const lockSetUp = (db: Sql) => sql`select pg_advisory_xact_lock(${SET_UP_LOCK})`.execute(db)

export const deleteSetUpLinks = (db: Sql) =>
  db.deleteFrom('sign_in_links').where('purpose', '=', 'set_up').execute()

/** Takes the set-up link away. @returns whether that was it */
export const takeSetUpLink = async (db: Sql, tokenHash: Buffer, now: Date): Promise<boolean> =>
  (await db
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', 'set_up')
    .where('expires_at', '>', now)
    .returning('purpose')
    .executeTakeFirst()) !== undefined
