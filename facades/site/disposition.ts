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
