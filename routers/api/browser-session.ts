import { createHash, randomBytes } from 'node:crypto'
import type { Sql } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { lockAccount } from '../../db/queries/accounts.ts'
import { insertAuditEvents } from '../../db/queries/audit.ts'
import {
  deleteEndedSessions,
  deleteOldestSessions,
  deleteSession,
  findSession,
  insertSession,
  touchSession,
} from '../../db/queries/sessions.ts'
import { rememberBrowser } from '../../db/queries/sign-in.ts'
import type { SessionActor } from './actor.ts'
import type { Context } from './context.ts'
import { suspensionOf } from './credential.ts'
import { Problem } from './problem.ts'
import { hashSecret } from './secret.ts'

/** How a session began; recorded in the audit log. */
export type SignInMethod = 'password' | 'passkey' | 'link' | 'recovery_code' | 'new_account'

const MINUTE = 60 * 1000
const DAY = 24 * 60 * MINUTE

/** Time without use after which a session ends, in ms. */
const IDLE = 7 * DAY
/** Maximum lifetime of a session, in ms. */
export const SESSION_LIFETIME = 30 * DAY

/** Minimum time between two writes of a session's last use, in ms. */
const TOUCH_EVERY = 10 * MINUTE

/** How long a session that began with a recovery code can set a new password, in ms. */
const RESET_WINDOW = 10 * MINUTE

/** Longer User-Agent headers are truncated to this number of characters before they are stored. */
const USER_AGENT_MAX = 300

/** Creates a token of 256 bits, for cookies and links. Only its hash is stored. */
export const newToken = () => randomBytes(32).toString('base64url')

/** Returns the idle limit as a point in time. A session whose last use was earlier has ended. */
export const idleSince = (now: Date) => new Date(now.getTime() - IDLE)

/**
 * Begins a session after a successful sign-in. The browser's previous session ends, whichever account it
 * belonged to, so that a cookie from before the sign-in stops working. If the account has the maximum number
 * of sessions, the least recently used one ends.
 *
 * @param db inside a transaction
 * @param method recorded in the audit log
 * @param mayReset whether the session can, for a while, set a new password without the old one
 * @returns the session token, for `Context.setSession` after the commit
 */
export const beginSession = async (
  db: Sql,
  { actor, browser, core, userAgent }: Pick<Context, 'actor' | 'browser' | 'core' | 'userAgent'>,
  accountId: string,
  method: SignInMethod,
  { mayReset = false } = {},
): Promise<string> => {
  const token = newToken()
  const now = new Date()
  // Lock the account before the sessions, as deleting an account does. Otherwise, a deadlock could occur.
  if (!(await lockAccount(db, accountId))) throw new Problem('sign_in_failed')
  if (actor?.kind === 'session') await deleteSession(db, actor.tokenHash)
  await deleteEndedSessions(db, accountId, now, idleSince(now))
  await deleteOldestSessions(db, accountId, core.creationLimits.sessions - 1)
  if (browser !== undefined) await rememberBrowser(db, accountId, hashBrowser(browser), now, MAX_BROWSERS)
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
  await insertAuditEvents(db, [
    {
      owner: { accountId },
      kind: 'signed_in',
      actor: accountId,
      actorLabel: null,
      details: { method, user_agent: userAgent?.slice(0, USER_AGENT_MAX) ?? null },
    },
  ])
  return token
}

/** Authenticates a session token. Returns null when it is unknown or has ended. */
export const sessionActor = async (db: Sql, token: string | undefined): Promise<SessionActor | null> => {
  if (token === undefined || token === '') return null
  const tokenHash = hashSecret(token)
  const now = new Date()
  const row = await findSession(db, tokenHash, now, idleSince(now))
  if (!row) return null
  if (now.getTime() - row.last_seen_at.getTime() > TOUCH_EVERY) await touchSession(db, tokenHash, now)
  return {
    kind: 'session',
    accountId: row.account_id,
    handle: row.handle,
    tokenHash,
    hasPassword: row.has_password,
    suspendedAt: row.suspended_at,
    ...suspensionOf(row),
  }
}

/** How long a browser is remembered after a sign-in, in ms. */
export const BROWSER_LIFETIME = 365 * 24 * 60 * 60 * 1000

/** How many browsers of an account are remembered. */
export const MAX_BROWSERS = 50

/** Returns the hash of a browser's cookie. Only the hash is stored. */
export const hashBrowser = (cookie: string): Buffer => createHash('sha256').update(cookie).digest()
