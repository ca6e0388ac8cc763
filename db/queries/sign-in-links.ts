import { type Insertable, sql } from 'kysely'
import { advisoryLocks } from '../advisory-locks.ts'
import type { Sql, Tables } from '../orm.ts'
import { lockAccount } from './accounts.ts'

/** Inserts a link and deletes expired ones; skips locked rows, which another call is deleting. */
export const insertSignInLink = async (db: Sql, link: Insertable<Tables['sign_in_links']>, now: Date) => {
  await db
    .deleteFrom('sign_in_links')
    .where('token_hash', 'in', eb =>
      eb
        .selectFrom('sign_in_links')
        .where('expires_at', '<=', now)
        .select('token_hash')
        .forUpdate()
        .skipLocked(),
    )
    .execute()
  await db.insertInto('sign_in_links').values(link).execute()
}

/** A link's purpose and its account's handle; undefined for a used or expired link. */
export const findSignInLink = (db: Sql, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('sign_in_links as link')
    .leftJoin('accounts as account', 'account.id', 'link.account_id')
    .where('link.token_hash', '=', tokenHash)
    .where('link.expires_at', '>', now)
    .select(['link.purpose as purpose', 'account.handle as handle'])
    .executeTakeFirst()

/**
 * Deletes an account's link, under the account's lock; of two concurrent uses, one succeeds.
 *
 * @returns the account, or undefined for a link that was used, has expired or has another purpose
 */
export const consumeSignInLink = async (
  db: Sql,
  purpose: 'sign_in' | 'reset',
  tokenHash: Buffer,
  now: Date,
) => {
  const link = await db
    .selectFrom('sign_in_links as link')
    .innerJoin('accounts as account', 'account.id', 'link.account_id')
    .where('link.token_hash', '=', tokenHash)
    .where('link.purpose', '=', purpose)
    .where('link.expires_at', '>', now)
    .select(['account.id as id', 'account.handle as handle'])
    .executeTakeFirst()
  if (!link || !(await lockAccount(db, link.id))) return undefined
  const deleted = await db
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', tokenHash)
    .returning('purpose')
    .executeTakeFirst()
  return deleted && link
}

/** Deletes all links of an account. */
export const deleteSignInLinksOfAccount = (db: Sql, accountId: string) =>
  db.deleteFrom('sign_in_links').where('account_id', '=', accountId).execute()

/** Takes a lock, so that only one transaction at a time creates the first account or its set-up link. */
export const lockSetUp = (db: Sql) => sql`select pg_advisory_xact_lock(${advisoryLocks.setUp})`.execute(db)

export const deleteSetUpLinks = (db: Sql) =>
  db.deleteFrom('sign_in_links').where('purpose', '=', 'set_up').execute()

/** Deletes the set-up link with this token. @returns whether the link was valid */
export const consumeSetUpLink = async (db: Sql, tokenHash: Buffer, now: Date): Promise<boolean> =>
  (await db
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', 'set_up')
    .where('expires_at', '>', now)
    .returning('purpose')
    .executeTakeFirst()) !== undefined
