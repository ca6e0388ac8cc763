import { hkdfSync } from 'node:crypto'
import type { GrantedCredential } from '../../../db/queries/oauth.ts'
import { isSecret, SECRET_PREFIXES, secretOf, textOf } from '../../api/secret.ts'

/** Length of an access token and of each half of a refresh token, in characters. */
const HALF = 32
/** Number of bytes that are derived and then converted to `HALF` characters. */
const BYTES = 32

/**
 * Returns the half of a refresh token that stays the same for the whole grant; null if the text is not a
 * refresh token.
 */
export const familyOf = (refreshToken: string): string | null => {
  if (!isSecret('refresh_token', refreshToken)) return null
  return refreshToken.slice(SECRET_PREFIXES.refresh_token.length).slice(0, HALF)
}

/** The current tokens of a client. */
export interface Pair {
  access: string
  refresh: string
}

/**
 * Derives the pair of tokens that replaces a refresh token. The service stores only hashes of these tokens. If a client
 * repeats a request, the service derives the same pair again, from the refresh token and the stored salt. The holder
 * of an old refresh token does not know the salt, and so cannot compute the tokens that replaced the old token.
 *
 * @param kind the kind of the access token
 */
export const pairAfter = (
  kind: GrantedCredential['kind'],
  refreshToken: string,
  family: string,
  salt: Buffer,
): Pair => {
  const derive = (what: string) =>
    textOf(Buffer.from(hkdfSync('sha256', refreshToken, salt, what, BYTES)), HALF)
  return {
    access: secretOf(kind, derive('access')),
    refresh: secretOf('refresh_token', family + derive('refresh')),
  }
}

/** Response of the token endpoint (RFC 6749, 5.1). */
export interface TokenResponse {
  access_token: string
  token_type: 'Bearer'
  /** Lifetime of the access token, in seconds. */
  expires_in: number
  refresh_token: string
  scope: string
}

/**
 * Creates the response of the token endpoint.
 *
 * @param lifetime remaining lifetime of the access token, in ms
 */
export const tokenResponse = (
  { access, refresh }: Pair,
  lifetime: number,
  scopes: readonly string[],
): TokenResponse => ({
  access_token: access,
  token_type: 'Bearer',
  expires_in: Math.floor(lifetime / 1000),
  refresh_token: refresh,
  scope: scopes.join(' '),
})
