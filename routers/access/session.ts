import { randomBytes } from 'node:crypto'
import { newId } from '../../db/id.ts'
import type { Sql } from '../../db/orm.ts'
import { lockAccount } from '../../db/queries/accounts.ts'
import {
  deleteEndedSessions,
  deleteSession,
  findSession,
  insertSession,
  touchSession,
} from '../../db/queries/sessions.ts'
import type { SessionActor } from '../core/actor.ts'
import type { Context } from '../core/context.ts'
import { Problem } from '../core/problem.ts'
import { hashSecret } from './secret.ts'

const MINUTE = 60 * 1000
const DAY = 24 * 60 * MINUTE

/** A session ends this many milliseconds after its last use, and at the latest this long after its start. */
const IDLE = 7 * DAY
export const SESSION_LIFETIME = 30 * DAY

/** Milliseconds between two writes of a session's last use. */
const TOUCH_EVERY = 10 * MINUTE

/** Milliseconds in which a session that began with a recovery code may set a new password. */
const RESET_WINDOW = 10 * MINUTE

/** Characters that are kept of what a browser says it is. */
const USER_AGENT_MAX = 300

/** A token of 256 bits, for cookies and links. Only its hash is stored. */
export const newToken = () => randomBytes(32).toString('base64url')

/** Sessions that were last used before this have ended. */
export const idleSince = (now: Date) => new Date(now.getTime() - IDLE)

/**
 * Begins a session for whoever has just shown who they are. The browser's old one, whoever's it was, ends with it,
 * so that a cookie from before a sign-in is worth nothing after it.
 *
 * @param db inside a transaction
 * @param mayReset whether a new password may be set without the old one for a while
 * @returns the session's token, for `Context.setSession` once the transaction is through
 */
export const beginSession = async (
  db: Sql,
  { actor, userAgent }: Pick<Context, 'actor' | 'userAgent'>,
  accountId: string,
  { mayReset = false } = {},
): Promise<string> => {
  const token = newToken()
  const now = new Date()
  // The account first, as whoever deletes it does.
  if (!(await lockAccount(db, accountId))) throw new Problem('sign_in_failed')
  if (actor?.kind === 'session') await deleteSession(db, actor.tokenHash)
  await deleteEndedSessions(db, accountId, now, idleSince(now))
  await insertSession(db, {
    token_hash: hashSecret(token),
    id: newId(),
    account_id: accountId,
    user_agent: userAgent?.slice(0, USER_AGENT_MAX) ?? null,
    created_at: now,
    last_seen_at: now,
    confirmed_at: now,
    may_reset_until: mayReset ? new Date(now.getTime() + RESET_WINDOW) : null,
    expires_at: new Date(now.getTime() + SESSION_LIFETIME),
  })
  return token
}

/** Who is signed in with this token; null when nobody is (any more). */
export const sessionActor = async (db: Sql, token: string | undefined): Promise<SessionActor | null> => {
  if (token === undefined || token === '') return null
  const tokenHash = hashSecret(token)
  const now = new Date()
  const row = await findSession(db, tokenHash, now, idleSince(now))
  if (!row) return null
  if (now.getTime() - row.last_seen_at.getTime() > TOUCH_EVERY) await touchSession(db, tokenHash, now)
  return { kind: 'session', accountId: row.account_id, handle: row.handle, tokenHash }
}
