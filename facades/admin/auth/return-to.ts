/** Where to go after signing in. */
export interface ReturnTo {
  /** Path of a dashboard view. */
  next?: string | undefined
  /** Query string of a client's request to `/oauth/authorize`. */
  authorize?: string | undefined
  /** Whether to sign in although there is a session, to confirm it. */
  again?: boolean | undefined
}

/**
 * Reads the target from search parameters. Targets outside this service are dropped. The result always has all
 * keys, because the router would pass a missing key through from the URL unchecked.
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
