import { type Insertable, sql } from 'kysely'
import { advisoryLocks } from '../advisory-locks.ts'
import type { Sql, Tables } from '../database.ts'
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

/** Replaces an account's codes. The caller holds the account's lock. */
export const replaceRecoveryCodes = async (db: Sql, accountId: string, codeHashes: Buffer[], now: Date) => {
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  await db
    .insertInto('recovery_codes')
    .values(codeHashes.map(code_hash => ({ account_id: accountId, code_hash, created_at: now })))
    .execute()
}

/**
 * Deletes a code; of two concurrent uses, one succeeds.
 *
 * @returns whether the account had the code
 */
export const consumeRecoveryCode = async (db: Sql, accountId: string, codeHash: Buffer): Promise<boolean> =>
  (await db
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash)
    .returning('account_id')
    .executeTakeFirst()) !== undefined

/** How many codes an account has left, and when they were created. */
export const countRecoveryCodes = async (
  db: Sql,
  accountId: string,
): Promise<{ left: number; createdAt: Date | null }> => {
  const { left, created_at } = await db
    .selectFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .select(eb => [eb.fn.countAll<string>().as('left'), eb.fn.min('created_at').as('created_at')])
    .executeTakeFirstOrThrow()
  return { left: Number(left), createdAt: created_at ?? null }
}

/** Whether the browser has signed in to an account after `since`. The case of the account's `handle` is ignored. */
export const isKnownBrowser = async (
  db: Sql,
  handle: string,
  browserHash: Buffer,
  since: Date,
): Promise<boolean> =>
  (await db
    .selectFrom('known_browsers as browser')
    .innerJoin('accounts as account', 'account.id', 'browser.account_id')
    .where(sql`lower(account.handle)`, '=', handle.toLowerCase())
    .where('browser.browser_hash', '=', browserHash)
    .where('browser.signed_in_at', '>', since)
    .select('account.id')
    .executeTakeFirst()) !== undefined

/**
 * Records a sign-in from a browser, and keeps only the account's `max` most recent browsers. The caller holds the
 * account's lock.
 */
export const rememberBrowser = async (
  db: Sql,
  accountId: string,
  browserHash: Buffer,
  now: Date,
  max: number,
) => {
  await db
    .insertInto('known_browsers')
    .values({ account_id: accountId, browser_hash: browserHash, signed_in_at: now })
    .onConflict(conflict =>
      conflict.columns(['account_id', 'browser_hash']).doUpdateSet({ signed_in_at: now }),
    )
    .execute()
  await db
    .deleteFrom('known_browsers')
    .where('account_id', '=', accountId)
    .where('browser_hash', 'in', eb =>
      eb
        .selectFrom('known_browsers')
        .where('account_id', '=', accountId)
        .select('browser_hash')
        .orderBy('signed_in_at', 'desc')
        .offset(max),
    )
    .execute()
}

/** Deletes the known browsers of an account, except the given one. */
export const forgetBrowsers = (db: Sql, accountId: string, except: Buffer | null = null) =>
  db
    .deleteFrom('known_browsers')
    .where('account_id', '=', accountId)
    .$if(except !== null, query => query.where('browser_hash', '!=', except!))
    .execute()
