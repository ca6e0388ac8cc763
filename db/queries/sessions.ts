import type { Insertable } from 'kysely'
import type { Sql, Tables } from '../orm.ts'

export const insertSession = (db: Sql, session: Insertable<Tables['sessions']>) =>
  db.insertInto('sessions').values(session).execute()

/** The session with that hash and its account, unless it has ended or was last used before `seenSince`. */
export const findSession = (db: Sql, tokenHash: Buffer, now: Date, seenSince: Date) =>
  db
    .selectFrom('sessions as session')
    .innerJoin('accounts as account', 'account.id', 'session.account_id')
    .where('session.token_hash', '=', tokenHash)
    .where('session.expires_at', '>', now)
    .where('session.last_seen_at', '>', seenSince)
    .select(['account.id as account_id', 'account.handle as handle', 'session.last_seen_at as last_seen_at'])
    .executeTakeFirst()

export const touchSession = (db: Sql, tokenHash: Buffer, now: Date) =>
  db.updateTable('sessions').set({ last_seen_at: now }).where('token_hash', '=', tokenHash).execute()

export const deleteSession = (db: Sql, tokenHash: Buffer) =>
  db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()

/** Ends every session of an account but one. */
export const deleteOtherSessions = (db: Sql, accountId: string, tokenHash: Buffer) =>
  db.deleteFrom('sessions').where('account_id', '=', accountId).where('token_hash', '!=', tokenHash).execute()

export const insertSignInLink = (db: Sql, link: Insertable<Tables['sign_in_links']>) =>
  db.insertInto('sign_in_links').values(link).execute()

/**
 * Takes a one-time link away and returns whose it was; nothing when it was used, has expired or is for something
 * else. Of two who use it at once, one gets it.
 */
export const takeSignInLink = async (
  db: Sql,
  purpose: 'sign_in' | 'reset',
  tokenHash: Buffer,
  now: Date,
): Promise<string | undefined> => {
  const link = await db
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning('account_id')
    .executeTakeFirst()
  return link?.account_id ?? undefined
}
