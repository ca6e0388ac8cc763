/**
 * The cookie with the color scheme that the person chose in the dashboard. The service reads it, so that the first
 * paint of the dashboard, and every page of the main site, already has these colors. There is no cookie while the
 * dashboard follows the system.
 */
export const COLOR_SCHEME_COOKIE = 'color-scheme'

/** The values of this cookie. */
export const COLOR_SCHEMES = ['light', 'dark'] as const
