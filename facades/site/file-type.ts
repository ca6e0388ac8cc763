/** Types that are shown in a browser; those that could run something are not among them (decision 28). */
const INLINE = [
  /^(?:image|video|audio|font)\//,
  /^text\/(?!html$|javascript$)/,
  /^application\/(?:pdf|json|vnd\.ms-fontobject)$/,
  /^application\/[^/]+\+json$/,
]

/** Whether a file opens in the browser; else it is downloaded (contract: "Serving rules"). */
export const opensInline = (contentType: string): boolean => INLINE.some(pattern => pattern.test(contentType))

/** A type with the encoding that texts are taken to have; the store knows none, and UTF-8 is what they are. */
export const withCharset = (contentType: string): string =>
  /^text\/|^application\/(?:[^/]+\+)?json$/.test(contentType) ? `${contentType}; charset=utf-8` : contentType
