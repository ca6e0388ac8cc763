/** Where somebody wanted to go who has to sign in first. */
export interface ReturnTo {
  /** A view of the screen, by its path. */
  next?: string | undefined
  /** The request of a client that asks to be connected, as it came to `/oauth/authorize`. */
  authorize?: string | undefined
}

/**
 * What an address says of that. Nothing outside this service is ever gone to. Both are always told: the router would
 * let what is left out through as it stands in the address.
 */
export const parseReturnTo = ({ next, authorize }: Record<string, unknown>): ReturnTo => ({
  next: typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined,
  authorize: typeof authorize === 'string' ? authorize : undefined,
})

/** The full address of that; one's spaces, where nothing was wanted. */
export const returnUrl = ({ next = '/', authorize }: ReturnTo): URL =>
  authorize === undefined
    ? new URL(`.${next}`, document.baseURI)
    : new URL(`../oauth/authorize?${authorize}`, document.baseURI)
