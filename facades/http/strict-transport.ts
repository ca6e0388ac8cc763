import type { ServerResponse } from 'node:http'
import type { Addresses } from '../../routers/core/addresses.ts'
import type { HostRoute } from './hosts.ts'

/**
 * One year, in seconds. Leaves out `includeSubDomains`, because hosts below these domains may belong to someone else.
 */
const POLICY = 'max-age=31536000'

/**
 * Returns a function that makes browsers use https only (RFC 6797), for every address that is configured with https.
 */
export const strictTransportSecurity = ({ apiRoot, site }: Pick<Addresses, 'apiRoot' | 'site'>) => {
  const isMainSecure = apiRoot.startsWith('https:')
  const isContentSecure = site('x').startsWith('https:')
  return ({ kind }: HostRoute, res: ServerResponse): void => {
    if (kind === 'main' ? isMainSecure : isContentSecure) res.setHeader('Strict-Transport-Security', POLICY)
  }
}
