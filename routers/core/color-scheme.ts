/**
 * The cookie with the color scheme that the person chose in the dashboard. The service reads it to send a document whose
 * first paint already has these colors, and the pages of the main site in them. There is no cookie while the dashboard
 * follows the system.
 */
export const COLOR_SCHEME_COOKIE = 'color-scheme'

/** The values of this cookie. */
export const COLOR_SCHEMES = ['light', 'dark'] as const
