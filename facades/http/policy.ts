import type { Style } from './page/style.ts'

/**
 * Schemes that other programs open. The policy of a page applies to addresses that its frames open, and `*` does not
 * include these schemes. Without them in `frame-src`, the browser's error page replaces the content of the frame when
 * somebody follows such a link there.
 */
export const PROGRAM_SCHEMES = 'mailto: tel: sms: geo: xmpp: matrix:'

/** A `Content-Security-Policy` from its directives. */
export const policy = (directives: Record<string, string>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ')

/**
 * The policy of a main-site page. It allows the page's own style, and the typeface and images of the main site, but no
 * scripts and no framing.
 */
export const pagePolicy = (style: Style, more: Record<string, string> = {}): string =>
  policy({
    'default-src': "'none'",
    'style-src': style.source,
    'img-src': "'self'",
    'font-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...more,
  })
