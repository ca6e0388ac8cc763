import { createHash } from 'node:crypto'
import { rules } from '../../core/rules.ts'

type Encoding = (typeof rules.file.encodings)[number]

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

export const EMPTY_FILE = 'must not be an empty file'

/**
 * Returns what is wrong with the encoded content of a file, or null.
 * Base64 is the standard alphabet with or without padding; line breaks and spaces are ignored.
 */
export const contentFault = (content: string, encoding: Encoding): string | null => {
  const size = encoding === 'base64' ? base64Size(content) : textSize(content)
  if (typeof size === 'string') return size
  if (size === 0) return EMPTY_FILE
  if (size > rules.file.max_bytes) return `must have at most ${rules.file.max_bytes} bytes, but has ${size}`
  return null
}

/** Decodes valid content. */
export const decodeContent = (content: string, encoding: Encoding): Buffer =>
  Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8')

/** The SHA-256 of a file, the basis of its ETag. */
export const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/**
 * Returns the number of bytes that base64 encodes, or what is wrong with it.
 *
 * @param ignored characters to skip
 */
export const base64Size = (content: string, ignored = /[\r\n ]+/g): number | string => {
  const compact = content.replace(ignored, '')
  const digits = compact.replace(/={1,2}$/, '').length
  const isPadded = digits < compact.length
  if (!BASE64.test(compact) || digits % 4 === 1 || (isPadded && compact.length % 4 !== 0))
    return 'must be base64 in the standard alphabet'
  return Math.floor((digits * 3) / 4)
}

/** Returns the size of text in UTF-8, or what is wrong with it. */
const textSize = (content: string): number | string =>
  content.isWellFormed() ? Buffer.byteLength(content) : 'must not contain a lone surrogate'
