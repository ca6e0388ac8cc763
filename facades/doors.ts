import type { Addresses } from '../routers/core/addresses.ts'

/** Which of the service's doors a host name opens. */
export type Door =
  | { kind: 'main' }
  /** `name` is the label before the domain, in lower case; empty when the domain itself was asked for. */
  | { kind: 'site' | 'page' | 'preview' | 'file' | 'post'; name: string }

/** What origins of drafts begin with; no id of a page has a hyphen. */
const PREVIEW = 'preview-'

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
  ].map(([kind, domain]) => [kind as 'site' | 'page', domain!.replace(/:\d+$/, '')] as const)

  return (hostname: string | undefined): Door => {
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
