import { decodeClientDataJSON } from '@simplewebauthn/server/helpers'
import type { Sql, Tables } from '../../../db/orm.ts'
import { consumeChallenge, insertChallenge } from '../../../db/queries/passkeys.ts'

/** Milliseconds in which a challenge is to be answered. */
export const CHALLENGE_LIFETIME = 5 * 60 * 1000

type Purpose = Tables['passkey_challenges']['purpose']

/** Remembers a challenge that a browser is about to be given. */
export const openChallenge = (db: Sql, purpose: Purpose, accountId: string | null, challenge: string) => {
  const now = new Date()
  return insertChallenge(
    db,
    { challenge, purpose, account_id: accountId, expires_at: new Date(now.getTime() + CHALLENGE_LIFETIME) },
    now,
  )
}

/**
 * The challenge that a browser says it answers, used up by this, whatever comes of the answer.
 *
 * @returns null when it was not given for this, was answered before, or is too old
 */
export const closeChallenge = async (
  db: Sql,
  purpose: Purpose,
  accountId: string | null,
  clientDataJSON: string,
): Promise<string | null> => {
  const challenge = challengeOf(clientDataJSON)
  if (challenge === null) return null
  return (await consumeChallenge(db, challenge, purpose, accountId, new Date())) ? challenge : null
}

const challengeOf = (clientDataJSON: string): string | null => {
  try {
    const { challenge }: { challenge: unknown } = decodeClientDataJSON(clientDataJSON)
    return typeof challenge === 'string' && /^[\w-]{1,200}$/.test(challenge) ? challenge : null
  } catch {
    return null
  }
}
