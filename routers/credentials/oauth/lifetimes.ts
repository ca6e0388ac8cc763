/** Milliseconds that an access token opens for. */
export const ACCESS_LIFETIME = 60 * 60 * 1000

/** Milliseconds in which a refresh token that was just used gives the same answer once more. */
export const REFRESH_GRACE = 30_000

/** A grant that is not renewed for this many milliseconds ends. */
export const IDLE_GRANT = 90 * 24 * 60 * 60 * 1000
