/**
 * Types that browsers display. HTML and JavaScript are not among them. Some of the types, such as SVG, can
 * contain scripts. The content security policy of files prevents these scripts from running.
 */
const INLINE = [
  /^(?:image|video|audio|font)\//,
  /^text\/(?!html$|javascript$)/,
  /^application\/(?:pdf|json|vnd\.ms-fontobject)$/,
  /^application\/[^/]+\+json$/,
]

/** Whether a file opens in the browser instead of being downloaded (contract: "Serving rules"). */
export const opensInline = (contentType: string): boolean => INLINE.some(pattern => pattern.test(contentType))

/** Adds `charset=utf-8` to text types: text files are stored without a charset and assumed to be UTF-8. */
export const withCharset = (contentType: string): string =>
  /^text\/|^application\/(?:[^/]+\+)?json$/.test(contentType) ? `${contentType}; charset=utf-8` : contentType

/** Whether compression makes files of a type smaller: text in any form, and a few binary formats. */
export const isCompressible = (contentType: string): boolean =>
  /^text\/|^application\/(?:json|xml|javascript|rtf|wasm|vnd\.ms-fontobject|[^/]+\+(?:json|xml))$|^image\/(?:svg\+xml|bmp)$|^font\/(?:ttf|otf)$/.test(
    contentType,
  )
