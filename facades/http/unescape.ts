import { setImmediate } from 'node:timers/promises'
import { backslashesBefore } from '../../routers/api/json-shape.ts'
import { LongText, writeBase64 } from '../../routers/api/long-text.ts'

/** Number of bytes to convert before yielding to other requests. Longer slices take longer per byte. */
const SLICE = 65_536

/** Length in bytes of an escaped surrogate pair, the longest sequence that must not be split between two slices. */
const LONGEST = 12

const LOWER_U = 0x75

/**
 * Decodes the content of a JSON string in place. The text always fits, because no escape sequence is shorter than its
 * character. Yields to other requests.
 *
 * @param bytes UTF-8 without an unescaped quote; overwritten
 * @param slice bytes to convert at once, more than 12
 * @throws SyntaxError for control characters and unknown escape sequences
 */
export const unescapeInPlace = async (bytes: Buffer, slice = SLICE): Promise<LongText> => {
  let written = 0
  let isWellFormed = true
  for (let start = 0; start < bytes.length; ) {
    if (start > 0) await setImmediate()
    // The bytes before `start` are already overwritten, so the search for a boundary must not read them.
    const end = start + boundaryAtOrBefore(bytes.subarray(start), slice)
    if (isBase64(bytes, start, end)) {
      if (written < start) bytes.copyWithin(written, start, end)
      written += end - start
    } else {
      const text = JSON.parse(`"${bytes.toString('utf8', start, end)}"`) as string
      isWellFormed &&= text.isWellFormed()
      written += bytes.write(text, written)
    }
    start = end
  }
  return new LongText(bytes.subarray(0, written), isWellFormed)
}

const decoded = Buffer.allocUnsafeSlow(SLICE)

/**
 * Whether all bytes are base64 digits, so that they contain no escape sequence. Nearly every long string is base64, and
 * this check is much faster than parsing.
 */
const isBase64 = (bytes: Buffer, start: number, end: number): boolean =>
  (end - start) % 4 === 0 && writeBase64(decoded, bytes.toString('latin1', start, end)) !== null

/**
 * Returns the last index up to `limit` that is not inside a character, an escape sequence or a pair of escaped
 * surrogates.
 */
const boundaryAtOrBefore = (bytes: Buffer, limit: number): number => {
  if (limit >= bytes.length) return bytes.length
  for (let index = limit; index > limit - LONGEST; index--) if (!isWithinCharacter(bytes, index)) return index
  // In valid JSON, the loop always finds a boundary.
  throw new SyntaxError('Incomplete escape sequence')
}

const isWithinCharacter = (bytes: Buffer, index: number): boolean =>
  (bytes[index]! & 0xc0) === 0x80 ||
  backslashesBefore(bytes, index) % 2 === 1 ||
  [1, 2, 3, 4].some(distance => isUnicodeEscape(bytes, index - distance)) ||
  // The index is between a high and a low surrogate.
  (isUnicodeEscape(bytes, index - 5) &&
    /^d[89ab]/i.test(bytes.toString('latin1', index - 4, index)) &&
    /^\\ud[c-f]/i.test(bytes.toString('latin1', index, index + 6)))

/** Whether the byte is the `u` of an escape sequence. */
const isUnicodeEscape = (bytes: Buffer, index: number): boolean =>
  bytes[index] === LOWER_U && backslashesBefore(bytes, index) % 2 === 1
