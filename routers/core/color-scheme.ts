/**
 * The cookie with the color scheme that the person chose in the dashboard. The service reads the cookie, so that the
 * first paint of the dashboard, and every page of the main site, already uses that scheme. There is no cookie while the
 * dashboard follows the system.
 */
export const COLOR_SCHEME_COOKIE = 'color-scheme'

/** The values of the color scheme cookie. */
export const COLOR_SCHEMES = ['light', 'dark'] as const
