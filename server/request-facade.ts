import type { IncomingMessage } from 'node:http'
import { routeByHost } from '../facades/http/hosts.ts'
import type { Addresses } from '../routers/core/addresses.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Facades by the first segment of their paths; all other paths belong to the main site. */
const FACADES = new Set([
  'v1',
  'mcp',
  'user-mcp',
  'trpc',
  'transfer',
  'uploads',
  'oauth',
  'admin',
  'docs',
  'healthz',
  'readyz',
])

/** The method of a request, or `other` if it is uncommon, so that callers cannot add names to metrics and traces. */
export const knownMethod = ({ method = '' }: IncomingMessage): string =>
  METHODS.has(method) ? method : 'other'

/** Names the facade of a request: by host name on content domains, otherwise by the first segment of the path. */
export const facadeByRequest = (addresses: Addresses) => {
  const routeOf = routeByHost(addresses)
  return ({ headers, url = '/' }: IncomingMessage): string => {
    const { kind } = routeOf(headers.host?.replace(/:\d+$/, ''))
    if (kind !== 'main') return kind
    const segment = /^\/([a-z0-9-]*)/.exec(url)?.[1] ?? ''
    return FACADES.has(segment) ? segment : 'main'
  }
}
