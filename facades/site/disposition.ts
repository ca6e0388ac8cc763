/**
 * `Content-Disposition` with a file's name (RFC 6266): as a quoted string of ASCII for old programs, and where that
 * loses something also encoded as UTF-8.
 *
 * @param name any text without control characters; lone surrogates become U+FFFD
 */
export const contentDisposition = (type: 'inline' | 'attachment', name: string): string => {
  const whole = name.toWellFormed()
  // A percent sign would be taken for an encoding by some, and is decoded into something else.
  const plain = whole.replace(/[^\x20-\x7e]|%/gu, '_')
  const quoted = `filename="${plain.replace(/["\\]/g, '\\$&')}"`
  return `${type}; ${quoted}${plain === whole ? '' : `; filename*=UTF-8''${encoded(whole)}`}`
}

/** Percent-encoded as RFC 8187 wants it, which leaves fewer characters alone than addresses do. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
