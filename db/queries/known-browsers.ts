import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

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
