import type { Style } from './page/style.ts'

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
