/** Placeholder in the built dashboard document. Each response replaces it with a nonce for styles that scripts add. */
export const NONCE = 'nonce-of-this-response'

// The dashboard imports these from here, because it must not import most modules of `routers`.
export { COLOR_SCHEME_COOKIE, COLOR_SCHEMES, fonts, palette, typeface } from '../../routers/api/palette.ts'

/**
 * Maximum number of calls in one request of the dashboard. The client splits larger batches; the server refuses them.
 */
export const MAX_BATCH = 50

/**
 * Path below which the origin of a preview serves pages that the dashboard shows as pictures. Then come the subdomain of
 * the site, a slash, and the slug of the page, which is empty for the home page.
 */
export const PICTURES = '/pictures/'
