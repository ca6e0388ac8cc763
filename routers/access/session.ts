import { randomBytes } from 'node:crypto'
import { newId } from '../../db/id.ts'
import type { Sql } from '../../db/orm.ts'
import { findSession, insertSession, touchSession } from '../../db/queries/sessions.ts'
import type { SessionActor } from './actor.ts'
import { hashSecret } from './secret.ts'

const DAY = 24 * 60 * 60 * 1000

/** A session ends this many milliseconds after its last use, and at the latest this long after its start. */
const IDLE = 7 * DAY
export const SESSION_LIFETIME = 30 * DAY

/** Milliseconds between two writes of a session's last use. */
const TOUCH_EVERY = 10 * 60 * 1000

/** A token of 256 bits, for cookies and links. Only its hash is stored. */
export const newToken = () => randomBytes(32).toString('base64url')

/** Begins a session and returns its token. */
export const beginSession = async (db: Sql, accountId: string): Promise<string> => {
  const token = newToken()
  const now = new Date()
  await insertSession(db, {
    token_hash: hashSecret(token),
    id: newId(),
    account_id: accountId,
    created_at: now,
    last_seen_at: now,
    confirmed_at: now,
    expires_at: new Date(now.getTime() + SESSION_LIFETIME),
  })
  return token
}

/** Who is signed in with this token; null when nobody is (any more). */
export const sessionActor = async (db: Sql, token: string | undefined): Promise<SessionActor | null> => {
  if (token === undefined || token === '') return null
  const tokenHash = hashSecret(token)
  const now = new Date()
  const row = await findSession(db, tokenHash, now, new Date(now.getTime() - IDLE))
  if (!row) return null
  if (now.getTime() - row.last_seen_at.getTime() > TOUCH_EVERY) await touchSession(db, tokenHash, now)
  return { kind: 'session', accountId: row.account_id, handle: row.handle, tokenHash }
}
