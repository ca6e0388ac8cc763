import type { ServerResponse } from 'node:http'
import type { Addresses } from '../../routers/api/addresses.ts'
import type { HostRoute } from './hosts.ts'

/**
 * One year, in seconds. Leaves out `includeSubDomains`, because hosts below these domains may belong to someone else.
 */
const POLICY = 'max-age=31536000'

type Configured = Pick<Addresses, 'apiRoot' | 'site'>

/**
 * Creates a function that returns the headers for a host. They make browsers use only https (RFC 6797) for every
 * address that is configured with https.
 */
export const strictTransportHeaders = ({ apiRoot, site }: Configured) => {
  const isMainSecure = apiRoot.startsWith('https:')
  const isContentSecure = site('x').startsWith('https:')
  return ({ kind }: Pick<HostRoute, 'kind'>): Record<string, string> =>
    (kind === 'main' ? isMainSecure : isContentSecure) ? { 'Strict-Transport-Security': POLICY } : {}
}

/** Returns a function that sets the headers of `strictTransportHeaders`. */
export const strictTransportSecurity = (configured: Configured) => {
  const headersOf = strictTransportHeaders(configured)
  return (route: HostRoute, res: ServerResponse): void => {
    // A domain of a space's own can move to a server without https. Browsers would refuse that for a year.
    if ('domain' in route) return
    for (const [name, value] of Object.entries(headersOf(route))) res.setHeader(name, value)
  }
}
