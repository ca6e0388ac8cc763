import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** The headers of a response that identify its version. */
export interface Version {
  etag?: string | undefined
  lastModified?: string | undefined
}

/** What to do with a request: send the representation, respond with 304, or respond with 412. */
export type Verdict = 'send' | 'not modified' | 'failed'

/** Matches a `Cache-Control` header that asks for a full response even if the client has a current copy. */
const NO_CACHE = /(?:^|,)\s*no-cache\s*(?:,|$)/

/**
 * Evaluates the preconditions of a request whose response would be successful, in the order of RFC 9110, 13.2.2. Any
 * other response ignores them.
 *
 * @param version the version of the representation that would be sent
 */
export const verdictOn = (
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { etag, lastModified }: Version,
): Verdict => {
  const changed = dateOf(lastModified)
  const expected = headers['if-match']
  if (expected !== undefined) {
    if (!includes(expected, etag, 'strong')) return 'failed'
  } else if (changed > dateOf(headers['if-unmodified-since'])) return 'failed'
  if ((method !== 'GET' && method !== 'HEAD') || NO_CACHE.test(headers['cache-control'] ?? '')) return 'send'
  const known = headers['if-none-match']
  const isKnown =
    known === undefined ? changed <= dateOf(headers['if-modified-since']) : includes(known, etag, 'weak')
  return isKnown ? 'not modified' : 'send'
}

/**
 * Whether the `Range` of a GET applies: there is no `If-Range`, or it names the current version by its strong tag or
 * its exact date (RFC 9110, 13.1.5).
 */
export const mayResume = (headers: IncomingHttpHeaders, { etag, lastModified }: Version): boolean => {
  if (headers['if-range'] === undefined) return true
  const condition = String(headers['if-range'])
  if (condition.includes('"')) return etag !== undefined && !isWeak(etag) && condition === etag
  return dateOf(condition) === dateOf(lastModified)
}

/** One element of a list of entity tags, with the comma after it. The element can be empty. */
const ELEMENT = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)")?[ \t]*(?:,|$)/y

/**
 * Parses a list of entity tags, without their quotes. A malformed list is treated as empty.
 *
 * @param comparison whether weak tags count
 */
export const parseTags = (header: string, comparison: 'strong' | 'weak'): '*' | string[] => {
  if (header.trim() === '*') return '*'
  const tags: string[] = []
  for (let at = 0; at < header.length; at = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = at
    const element = ELEMENT.exec(header)
    if (!element) return []
    const [, weak, tag] = element
    if (tag !== undefined && !(weak && comparison === 'strong')) tags.push(tag)
  }
  return tags
}

const isWeak = (etag: string) => etag.startsWith('W/')

const includes = (header: string, etag: string | undefined, comparison: 'strong' | 'weak'): boolean => {
  const tags = parseTags(header, comparison)
  if (tags === '*') return true
  if (etag === undefined || (comparison === 'strong' && isWeak(etag))) return false
  return tags.includes(etag.slice(etag.indexOf('"') + 1, -1))
}

/** The three forms of an HTTP date (RFC 9110, 5.6.7). The last one, of `asctime`, does not name its time zone. */
const FORMS = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** The time of an HTTP date; NaN, which equals no time and is neither before nor after one, for anything else. */
const dateOf = (header: string | undefined): number => {
  if (header === undefined || !FORMS.some(form => form.test(header))) return Number.NaN
  return Date.parse(header.endsWith('GMT') ? header : `${header} GMT`)
}
