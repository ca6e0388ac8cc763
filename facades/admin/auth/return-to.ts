import { flag, matching, searchParams } from '../shell/search-params.ts'

/** Reads from search parameters where to go after signing in. Targets outside this service are dropped. */
export const parseReturnTo = searchParams({
  /** Path of a dashboard view. */
  next: matching(/^\/(?![/\\])/),
  /** Query string of a client's request to `/oauth/authorize`. */
  authorize: text => text,
  /** Whether a signed-in person must sign in again, to confirm the session. */
  again: flag,
})

export type ReturnTo = ReturnType<typeof parseReturnTo>

/** Returns the full URL of the target; by default, the list of spaces. */
export const returnUrl = ({ next = '/', authorize }: ReturnTo): URL =>
  authorize === undefined
    ? new URL(`.${next}`, document.baseURI)
    : new URL(`../oauth/authorize?${authorize}`, document.baseURI)
