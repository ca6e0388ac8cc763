/** Registered OAuth error codes (RFC 6749, 7591, 8707). */
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

/** An OAuth error response. */
export class OauthError extends Error {
  readonly code: OauthErrorCode
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined

  /** @param description says what is wrong and how to fix it, for developers of the client */
  constructor(code: OauthErrorCode, description: string, retryAfter?: number) {
    super(description)
    this.name = 'OauthError'
    this.code = code
    this.retryAfter = retryAfter
  }
}
