import { type Insertable, sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'

export const insertSession = (db: Sql, session: Insertable<Tables['sessions']>) =>
  db.insertInto('sessions').values(session).execute()

/**
 * Finds a session and its account by the hash of the session's token. Ignores a session that has expired or was last
 * used before `seenSince`.
 */
export const findSession = compileOnce((db, tokenHash: Buffer, now: Date, seenSince: Date) =>
  db
    .selectFrom('sessions as session')
    .innerJoin('accounts as account', 'account.id', 'session.account_id')
    .where('session.token_hash', '=', tokenHash)
    .where('session.expires_at', '>', now)
    .where('session.last_seen_at', '>', seenSince)
    .select([
      'account.id as account_id',
      'account.handle as handle',
      'account.suspended_at as suspended_at',
      'account.suspension_reason as suspension_reason',
      sql<boolean>`account.password_hash is not null`.as('has_password'),
      'session.last_seen_at as last_seen_at',
    ]),
)

/** An account's active sessions, most recently used first. */
export const listSessions = (db: Sql, accountId: string, now: Date, seenSince: Date) =>
  db
    .selectFrom('sessions')
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', seenSince)
    .select(['id', 'token_hash', 'user_agent', 'created_at', 'last_seen_at'])
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

export const touchSession = (db: Sql, tokenHash: Buffer, now: Date) =>
  db.updateTable('sessions').set({ last_seen_at: now }).where('token_hash', '=', tokenHash).execute()

/** Returns when a session was last confirmed, and until when it can set a new password without the old one. */
export const findSessionConfirmation = (db: Sql, tokenHash: Buffer) =>
  db
    .selectFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .select(['confirmed_at', 'may_reset_until'])
    .executeTakeFirst()

export const confirmSession = (db: Sql, tokenHash: Buffer, now: Date) =>
  db.updateTable('sessions').set({ confirmed_at: now }).where('token_hash', '=', tokenHash).execute()

/** Ends a session's permission to set a new password without the old one. */
export const revokeReset = (db: Sql, tokenHash: Buffer) =>
  db.updateTable('sessions').set({ may_reset_until: null }).where('token_hash', '=', tokenHash).execute()

export const deleteSession = (db: Sql, tokenHash: Buffer) =>
  db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()

/** Deletes one session of an account. @returns its hash, or undefined when the account has no such session */
export const deleteSessionById = async (
  db: Sql,
  accountId: string,
  id: string,
): Promise<Uint8Array | undefined> => {
  const row = await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('token_hash')
    .executeTakeFirst()
  return row?.token_hash
}

/** Deletes all sessions of an account except one. */
export const deleteOtherSessions = (db: Sql, accountId: string, tokenHash: Buffer) =>
  db.deleteFrom('sessions').where('account_id', '=', accountId).where('token_hash', '!=', tokenHash).execute()

export const deleteSessionsOfAccount = (db: Sql, accountId: string) =>
  db.deleteFrom('sessions').where('account_id', '=', accountId).execute()

/** Deletes the sessions of an account, except the most recently used ones. `kept` is the number of sessions to keep. */
export const deleteOldestSessions = (db: Sql, accountId: string, kept: number) =>
  db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('token_hash', 'in', eb =>
      eb
        .selectFrom('sessions')
        .where('account_id', '=', accountId)
        .select('token_hash')
        .orderBy('last_seen_at', 'desc')
        .orderBy('created_at', 'desc')
        .offset(kept),
    )
    .execute()

/** Deletes an account's sessions that have expired or been idle too long. */
export const deleteEndedSessions = (db: Sql, accountId: string, now: Date, seenSince: Date) =>
  db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where(eb => eb.or([eb('expires_at', '<=', now), eb('last_seen_at', '<=', seenSince)]))
    .execute()
