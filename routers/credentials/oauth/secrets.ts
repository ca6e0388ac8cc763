import { hkdfSync } from 'node:crypto'
import { isSecret, SECRET_PREFIXES, secretOf, textOf } from '../../access/secret.ts'

/** Characters of each half of a refresh token, and of an access token. */
const HALF = 32
/** Bytes that 32 even letters and digits are made of. */
const BYTES = 32

/** The half of a refresh token that stays; null for text that is none. */
export const familyOf = (refreshToken: string): string | null => {
  if (!isSecret('refresh_token', refreshToken)) return null
  return refreshToken.slice(SECRET_PREFIXES.refresh_token.length).slice(0, HALF)
}

/** The two secrets that a client holds at a time. */
export interface Pair {
  access: string
  refresh: string
}

/**
 * The pair that follows a refresh token. It is derived, so that asking twice gives the same answer although only hashes
 * are kept; and it takes the salt, so that nobody who has an old refresh token can tell what came after it.
 */
export const pairAfter = (refreshToken: string, family: string, salt: Buffer): Pair => {
  const derive = (what: string) =>
    textOf(Buffer.from(hkdfSync('sha256', refreshToken, salt, what, BYTES)), HALF)
  return {
    access: secretOf('user_token', derive('access')),
    refresh: secretOf('refresh_token', family + derive('refresh')),
  }
}
