import type { Addresses } from '../../routers/api/addresses.ts'
import type { VerifiedDomains } from '../../routers/api/context.ts'

/** What the service serves under a host name. */
export type HostRoute =
  | { kind: 'main' }
  /** `name` is the label before the domain, in lower case; empty for the domain itself. */
  | { kind: 'site' | 'page' | 'preview' | 'draft' | 'file' | 'post'; name: string }
  /** A site at a domain of its own. `name` is its subdomain. */
  | { kind: 'site'; name: string; domain: string }

/**
 * The host names of previews and of drafts that a link shows begin with these words and a hyphen. Page ids contain no
 * hyphen, so no page's host name begins like this.
 */
const PREFIXED = /^(preview|draft)-(.*)$/s

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
      const [, prefix, rest = ''] = kind === 'page' ? (PREFIXED.exec(name) ?? []) : []
      return prefix === undefined ? { kind, name } : { kind: prefix as 'preview' | 'draft', name: rest }
    }
    const subdomain = host === main ? undefined : subdomainOf(host)
    return subdomain === undefined ? { kind: 'main' } : { kind: 'site', name: subdomain, domain: host }
  }
}
