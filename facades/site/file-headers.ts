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

/**
 * Returns a `Content-Disposition` header with a file name (RFC 6266): an ASCII fallback, and a UTF-8 `filename*` where
 * the fallback differs from the name.
 *
 * @param name text without control characters; lone surrogates become U+FFFD
 */
export const contentDisposition = (type: 'inline' | 'attachment', name: string): string => {
  const whole = name.toWellFormed()
  // Some browsers decode percent signs in the fallback.
  const plain = whole.replace(/[^\x20-\x7e]|%/gu, '_')
  const quoted = `filename="${plain.replace(/["\\]/g, '\\$&')}"`
  return `${type}; ${quoted}${plain === whole ? '' : `; filename*=UTF-8''${encoded(whole)}`}`
}

/** Percent-encodes as RFC 8187 requires, which reserves more characters than `encodeURIComponent`. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** A byte range, both ends included. */
export interface Range {
  start: number
  end: number
}

/**
 * Parses a `Range` header with a single byte range (RFC 9110, 14.1.2). Returns null when the header is to be ignored:
 * another unit, malformed, or several ranges.
 *
 * @param size size of the file in bytes, at least 1
 */
export const parseRange = (header: string, size: number): Range | 'unsatisfiable' | null => {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Number(last)
    return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return null
  return start < size ? { start, end } : 'unsatisfiable'
}
