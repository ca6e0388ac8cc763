/** Lifetime of an access token, in ms. */
export const ACCESS_LIFETIME = 60 * 60 * 1000

/** How long a used refresh token returns the same response again, in ms. */
export const REFRESH_GRACE = 30_000

/** Time without a refresh after which a grant ends, in ms. */
export const IDLE_GRANT = 90 * 24 * 60 * 60 * 1000
