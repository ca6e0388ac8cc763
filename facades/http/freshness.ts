import type { IncomingMessage } from 'node:http'

/** The headers of a response that identify its version. */
interface Version {
  etag: string | undefined
  lastModified: string | undefined
}

/** Matches a `Cache-Control` header that asks for a full response even if the client has a current copy. */
const NO_CACHE = /(?:^|,)\s*no-cache\s*(?:,|$)/

/**
 * Whether the client has the current version, so that a 304 is enough (RFC 9110, 13.2.2). Entity tags are compared
 * weakly.
 */
export const isFresh = ({ method, headers }: IncomingMessage, { etag, lastModified }: Version): boolean => {
  const known = headers['if-none-match']
  const since = headers['if-modified-since']
  if ((!known && !since) || (method !== 'GET' && method !== 'HEAD')) return false
  if (NO_CACHE.test(headers['cache-control'] ?? '')) return false
  if (!known) return lastModified !== undefined && Date.parse(lastModified) <= Date.parse(since!)
  if (known === '*') return true
  return etag !== undefined && known.split(',').some(tag => strong(tag.trim()) === strong(etag))
}

/** Returns an entity tag without the `W/` that marks it as weak. */
const strong = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag)
