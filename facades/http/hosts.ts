import type { Addresses } from '../../routers/api/addresses.ts'

/** What the service serves under a host name. */
export type HostRoute =
  | { kind: 'main' }
  /** `name` is the label before the domain, in lower case; empty for the domain itself. */
  | { kind: 'site' | 'page' | 'preview' | 'file' | 'post'; name: string }

/** Prefix of the host names of previews. Page ids contain no hyphen, so no page's host name starts with it. */
const PREVIEW = 'preview-'

/**
 * Routes requests by host name. Only names under the content domains serve content. Every other name serves the main
 * site, so that a container's name or the IP address of a health probe works without configuration.
 */
export const routeByHost = ({ siteDomain, pagesDomain, filesDomain, postsDomain }: Addresses) => {
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
    return { kind: 'main' }
  }
}
