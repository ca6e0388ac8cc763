import type { Addresses } from '../../routers/api/addresses.ts'
import type { VerifiedDomains } from '../../routers/api/context.ts'

/** What the service serves under a host name. */
export type HostRoute =
  | { kind: 'main' }
  /** `name` is the label before the domain, in lower case; empty for the domain itself. */
  | { kind: 'site' | 'page' | 'preview' | 'file' | 'post'; name: string }
  /** A site at a domain of its own. `name` is its subdomain. */
  | { kind: 'site'; name: string; domain: string }

/** Prefix of the host names of previews. Page ids contain no hyphen, so no page's host name starts with it. */
const PREVIEW = 'preview-'

/**
 * Routes requests by host name. Only names under the content domains and verified domains of spaces serve content. Every
 * other name serves the main site, so that a container's name or the IP address of a health probe works without
 * configuration.
 */
export const routeByHost = (
  { apiRoot, siteDomain, pagesDomain, filesDomain, postsDomain }: Addresses,
  { subdomainOf }: Pick<VerifiedDomains, 'subdomainOf'>,
) => {
  const main = new URL(apiRoot).hostname
  const domains = [
    ['site', siteDomain],
    ['page', pagesDomain],
    ['file', filesDomain],
    ['post', postsDomain],
  ].map(([kind, domain]) => [kind as 'site' | 'page', domain!.replace(/:\d+$/, '')] as const)

  return (hostname: string | undefined): HostRoute => {
    const host = (hostname ?? '').toLowerCase().replace(/\.$/, '')
    for (const [kind, domain] of domains) {
      if (host === domain) return { kind, name: '' }
      if (!host.endsWith(`.${domain}`)) continue
      const name = host.slice(0, -domain.length - 1)
      return kind === 'page' && name.startsWith(PREVIEW)
        ? { kind: 'preview', name: name.slice(PREVIEW.length) }
        : { kind, name }
    }
    const subdomain = host === main ? undefined : subdomainOf(host)
    return subdomain === undefined ? { kind: 'main' } : { kind: 'site', name: subdomain, domain: host }
  }
}
