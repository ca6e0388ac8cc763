import type { Addresses } from '../routers/addresses.ts'

/** Which of the service's doors a host name opens. */
export type Door =
  | { kind: 'main' }
  /** `name` is the label before the domain, in lower case; empty when the domain itself was asked for. */
  | { kind: 'site' | 'page' | 'file' | 'post'; name: string }

/**
 * Tells doors apart by host name. Only names under the content domains lead to content; every other name is
 * the main door, so that a container's name or a probe's address work without being told.
 */
export const doorsOf = ({ siteDomain, pagesDomain, filesDomain, postsDomain }: Addresses) => {
  const domains = [
    ['site', siteDomain],
    ['page', pagesDomain],
    ['file', filesDomain],
    ['post', postsDomain],
  ].map(([kind, domain]) => [kind as 'site', domain!.replace(/:\d+$/, '')] as const)

  return (hostname: string | undefined): Door => {
    const host = (hostname ?? '').toLowerCase().replace(/\.$/, '')
    for (const [kind, domain] of domains) {
      if (host === domain) return { kind, name: '' }
      if (host.endsWith(`.${domain}`)) return { kind, name: host.slice(0, -domain.length - 1) }
    }
    return { kind: 'main' }
  }
}
