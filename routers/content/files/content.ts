import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type LongText, writeBase64 } from '../../api/long-text.ts'
import { rules } from '../../api/rules.ts'

type Encoding = (typeof rules.file.encodings)[number]

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Characters that are ignored in base64. */
const WHITE_SPACE = /[\r\n ]+/g
const WHITE_SPACES = ['\r', '\n', ' ']

const NOT_BASE64 = 'must be base64 in the standard alphabet'
const NOT_WELL_FORMED = 'must not contain a lone surrogate'

export const EMPTY_FILE = 'must not be empty'

/** Number of bytes to decode before yielding to other requests. Longer slices take longer per byte. */
const SLICE = 65_536

/** Number of bytes to hash before yielding to other requests. Hashing them takes about a millisecond. */
const HASH_SLICE = 262_144

/**
 * Returns what is wrong with the encoded content of a file, or null. Base64 is the standard alphabet with or
 * without padding; line breaks and spaces are ignored.
 */
export const contentFault = (content: string, encoding: Encoding): string | null =>
  sizeFault(encoding === 'base64' ? base64Size(content) : textSize(content))

/** Like {@link contentFault}, for a `LongText`. Yields to other requests. */
export const longContentFault = async (content: LongText, encoding: Encoding): Promise<string | null> => {
  const bytes = await decodeLong(content, encoding)
  return sizeFault(typeof bytes === 'string' ? bytes : bytes.length)
}

const sizeFault = (size: number | string): string | null => {
  if (typeof size === 'string') return size
  if (size === 0) return EMPTY_FILE
  if (size > rules.file.max_bytes) return `must have at most ${rules.file.max_bytes} bytes, but has ${size}`
  return null
}

/** Decodes valid content. */
export const decodeContent = (content: string, encoding: Encoding): Buffer =>
  Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8')

/** For each decoded `LongText`, its bytes, or what is wrong with it. */
const decoded = new WeakMap<LongText, Promise<Buffer | string>>()

/**
 * Decodes a `LongText`, or returns what is wrong with it. The bytes overwrite the text in memory. Yields to other
 * requests.
 */
export const decodeLong = (content: LongText, encoding: Encoding): Promise<Buffer | string> => {
  const known = decoded.get(content)
  if (known) return known
  const result =
    encoding === 'base64'
      ? decodeInPlace(content.bytes)
      : Promise.resolve(content.isWellFormed ? content.bytes : NOT_WELL_FORMED)
  decoded.set(content, result)
  return result
}

/**
 * Decodes base64 in place: overwrites the text in `bytes` with the decoded bytes. Yields to other requests.
 *
 * @param slice number of bytes to decode at once, a multiple of 4
 */
export const decodeInPlace = async (bytes: Buffer, slice = SLICE): Promise<Buffer | string> => {
  // Digits left over from a slice are decoded with the next slice, because padding is valid only at the end of the
  // text.
  let waiting = ''
  let written = 0
  for (let start = 0; start < bytes.length; start += slice) {
    if (start > 0) await setImmediate()
    const digits = waiting + withoutWhiteSpace(bytes.toString('latin1', start, start + slice))
    const rest = (digits.length % 4) + (digits.endsWith('=') ? 4 : 0)
    const ready = Math.max(0, digits.length - rest)
    const size = writeBase64(bytes, digits.slice(0, ready), written)
    if (size === null) return NOT_BASE64
    written += size
    waiting = digits.slice(ready)
  }
  const rest = base64Size(waiting)
  if (typeof rest === 'string') return rest
  return bytes.subarray(0, written + bytes.write(waiting, written, 'base64'))
}

/** Most base64 has no white space, and searching for it is much faster than replacing it. */
const withoutWhiteSpace = (text: string): string =>
  WHITE_SPACES.some(character => text.includes(character)) ? text.replace(WHITE_SPACE, '') : text

/** The SHA-256 of a file, the basis of its ETag. Yields to other requests. */
export const digestOf = async (bytes: Buffer): Promise<Buffer> => {
  const hash = createHash('sha256')
  for (let start = 0; start < bytes.length; start += HASH_SLICE) {
    if (start > 0) await setImmediate()
    hash.update(bytes.subarray(start, start + HASH_SLICE))
  }
  return hash.digest()
}

/**
 * Returns the number of bytes that base64 encodes, or what is wrong with it.
 *
 * @param ignored characters to skip
 */
export const base64Size = (content: string, ignored = WHITE_SPACE): number | string => {
  const compact = content.replace(ignored, '')
  const digits = compact.replace(/={1,2}$/, '').length
  const isPadded = digits < compact.length
  if (!BASE64.test(compact) || digits % 4 === 1 || (isPadded && compact.length % 4 !== 0)) return NOT_BASE64
  return Math.floor((digits * 3) / 4)
}

/** Returns the size of text in UTF-8, or what is wrong with it. */
const textSize = (content: string): number | string =>
  content.isWellFormed() ? Buffer.byteLength(content) : NOT_WELL_FORMED
