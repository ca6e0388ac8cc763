import type { Style } from './page/style.ts'

/** A `Content-Security-Policy` from its directives. */
export const policy = (directives: Record<string, string>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ')

/** The policy of a main-site page: no scripts, no framing, its own style, the typeface and images of the main site. */
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
