import type { Pair } from './secrets.ts'

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
