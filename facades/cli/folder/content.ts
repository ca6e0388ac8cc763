import { createHash } from 'node:crypto'
import { faultOfIcon } from '../../../routers/content/icons/png-header.ts'
import { isText, kindOf } from './paths.ts'

/** Settings of a page, the description of a record, or the real name of a file, as in the listing of the service. */
export type Settings = Readonly<Record<string, unknown>>

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BOM = '\uFEFF'

/** The largest file that counts as text, in bytes. */
const MAX_TEXT = 1_048_576

/** SHA-256 of bytes, in hexadecimal. */
export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** Returns the text that bytes encode, with its byte order mark; null if they are not UTF-8. */
export const decoded = (bytes: Uint8Array): string | null => {
  try {
    return UTF8.decode(bytes)
  } catch {
    return null
  }
}

/** Returns text without what differs between editors: byte order mark, line ends, and white space around it. */
const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim()

/** Returns the value of a record without white space, or null if it is no JSON. */
const compact = (text: string): string | null => {
  try {
    return JSON.stringify(JSON.parse(text.replace(BOM, '')))
  } catch {
    return null
  }
}

/**
 * Returns a digest that differs if and only if the content does. The service removes white space around templates, and
 * editors and git change line ends, so neither is content. Neither is how the JSON of a record is formatted. Every byte of
 * a file or icon is content.
 */
export const digestOf = (path: string, bytes: Uint8Array): string => {
  const text = isText(path) ? decoded(bytes) : null
  const content = text === null ? null : kindOf(path) === 'record' ? compact(text) : plain(text)
  return sha256(content ?? bytes)
}

/** Returns the digests that the bytes can have in the space: it removes white space around templates and within JSON. */
export const possibleDigests = (path: string, bytes: Uint8Array): string[] => {
  const text = isText(path) ? decoded(bytes) : null
  const json = text !== null && kindOf(path) === 'record' ? compact(text) : null
  return [bytes, text?.trim(), json].flatMap(content => (content == null ? [] : sha256(content)))
}

/** Returns why the service would not take this content, or undefined. */
export const faultOfContent = (path: string, bytes: Uint8Array): string | undefined => {
  const kind = kindOf(path)
  if (kind === 'file') return bytes.length === 0 ? 'the file is empty' : undefined
  if (kind === 'icon') {
    const fault = faultOfIcon(bytes)
    return fault && `the icon ${fault}`
  }
  const text = decoded(bytes)
  if (text === null) return 'the text is not UTF-8'
  if (kind !== 'record') return plain(text) === '' ? 'the text is empty' : undefined
  try {
    JSON.parse(text.replace(BOM, ''))
    return undefined
  } catch (error) {
    return `this is not JSON: ${(error as Error).message}`
  }
}

/** Returns text that can be merged line by line; null for other content. */
export const mergeable = (path: string, bytes: Uint8Array): string | null => {
  if (bytes.length > MAX_TEXT) return null
  const text = decoded(bytes)
  if (text === null || text.includes('\0')) return null
  if (!isText(path)) return text
  return `${plain(kindOf(path) === 'record' ? (formatted(text) ?? text) : text)}\n`
}

/**
 * Formats JSON with two spaces. Returns null if the formatted JSON would not be exactly the same value, for example
 * because of a number with more digits than JavaScript keeps.
 */
const formatted = (json: string): string | null => {
  const text = json.replace(BOM, '')
  try {
    const value = JSON.parse(text) as unknown
    const isSame = JSON.stringify(value) === text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
    return isSame ? JSON.stringify(value, null, 2) : null
  } catch {
    return null
  }
}

/**
 * Returns the bytes to write for content of the service: records formatted, and texts with the line ends, the byte order
 * mark and the end that the file had. A new file ends with a line break.
 *
 * @param before the bytes of the file so far, if there is one
 */
export const written = (path: string, content: Uint8Array, before: Uint8Array | null): Uint8Array => {
  const text = isText(path) ? decoded(content) : null
  if (text === null) return content
  const clean = kindOf(path) === 'record' ? (formatted(text) ?? text) : text
  if (before === null) return Buffer.from(`${clean}${clean.includes('\r\n') ? '\r\n' : '\n'}`)
  return likeBefore(clean, decoded(before) ?? '')
}

/** Returns text as bytes, with the line ends, the byte order mark and the end of the text that was there before. */
export const likeBefore = (text: string, before: string): Uint8Array => {
  const isWindows = before.includes('\r\n') && !/(?<!\r)\n/.test(before)
  const end = /\s*$/.exec(before)![0].replaceAll('\r\n', '\n')
  const lines = `${text.trimEnd()}${end}`.replaceAll('\r\n', '\n')
  const start = before.startsWith(BOM) && !text.startsWith(BOM) ? BOM : ''
  return Buffer.from(start + (isWindows ? lines.replaceAll('\n', '\r\n') : lines))
}
