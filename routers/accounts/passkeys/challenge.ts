import type { Sql, Tables } from '../../../db/database.ts'
import { consumeChallenge, insertChallenge } from '../../../db/queries/passkeys.ts'
import { webauthn } from './webauthn.ts'

/** Lifetime of a challenge, in ms. */
export const CHALLENGE_LIFETIME = 5 * 60 * 1000

type Purpose = Tables['passkey_challenges']['purpose']

/** Stores a challenge before it is sent to a browser. */
export const createChallenge = (db: Sql, purpose: Purpose, accountId: string | null, challenge: string) => {
  const now = new Date()
  return insertChallenge(
    db,
    { challenge, purpose, account_id: accountId, expires_at: new Date(now.getTime() + CHALLENGE_LIFETIME) },
    now,
  )
}

/**
 * Finds and deletes the challenge that a browser's response names, even if the response turns out to be invalid.
 *
 * @returns null when the challenge was issued for another purpose, was used before, or has expired
 */
export const takeChallenge = async (
  db: Sql,
  purpose: Purpose,
  accountId: string | null,
  clientDataJSON: string,
): Promise<string | null> => {
  const challenge = await challengeOf(clientDataJSON)
  if (challenge === null) return null
  return (await consumeChallenge(db, challenge, purpose, accountId, new Date())) ? challenge : null
}

const challengeOf = async (clientDataJSON: string): Promise<string | null> => {
  const { decodeClientDataJSON } = await webauthn()
  try {
    const { challenge }: { challenge: unknown } = decodeClientDataJSON(clientDataJSON)
    return typeof challenge === 'string' && /^[\w-]{1,200}$/.test(challenge) ? challenge : null
  } catch {
    return null
  }
}
