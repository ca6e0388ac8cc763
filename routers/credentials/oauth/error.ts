/** Failures of an authorization server by their registered names (RFC 6749, 7591, 8707). */
export type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'temporarily_unavailable'

/** A failure that a client is meant to see. */
export class OauthError extends Error {
  readonly code: OauthErrorCode
  /** Whole seconds to wait, when waiting helps. */
  readonly retryAfter: number | undefined

  /** @param description for the client's developers: what is wrong and what to do */
  constructor(code: OauthErrorCode, description: string, retryAfter?: number) {
    super(description)
    this.name = 'OauthError'
    this.code = code
    this.retryAfter = retryAfter
  }
}
