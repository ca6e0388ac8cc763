/** Where to go after signing in. */
export interface ReturnTo {
  /** Path of a dashboard view. */
  next?: string | undefined
  /** Query string of a client's request to `/oauth/authorize`. */
  authorize?: string | undefined
  /** Whether a signed-in person must sign in again, to confirm the session. */
  again?: boolean | undefined
}

/**
 * Reads the target from search parameters. Targets outside this service are dropped. The result always has all keys,
 * because for a missing key the router would use the unchecked value from the URL.
 */
export const parseReturnTo = ({ next, authorize, again }: Record<string, unknown>): ReturnTo => ({
  next: typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined,
  authorize: typeof authorize === 'string' ? authorize : undefined,
  again: again === true ? true : undefined,
})

/** Returns the full URL of the target; by default, the list of spaces. */
export const returnUrl = ({ next = '/', authorize }: ReturnTo): URL =>
  authorize === undefined
    ? new URL(`.${next}`, document.baseURI)
    : new URL(`../oauth/authorize?${authorize}`, document.baseURI)
