import type { Pair } from './secrets.ts'

/** What a client gets at the token endpoint (RFC 6749, 5.1). */
export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  refresh_token: string
  scope: string
}

/** @param lifetime milliseconds that the access token opens for yet */
export const tokenAnswer = (
  { access, refresh }: Pair,
  lifetime: number,
  scopes: readonly string[],
): TokenAnswer => ({
  access_token: access,
  token_type: 'Bearer',
  expires_in: Math.floor(lifetime / 1000),
  refresh_token: refresh,
  scope: scopes.join(' '),
})
