import type { Settings } from './settings.ts'

/**
 * Checks the content domains against the Public Suffix List that is bundled with `tldts`. Domains under `localhost`
 * are not checked.
 *
 * @returns one warning for each unsafe domain, with what to do about it
 */
export const domainWarnings = async (settings: Settings): Promise<string[]> => {
  const domains = Object.entries({
    SITE_DOMAIN: settings.siteDomain,
    PAGES_DOMAIN: settings.pagesDomain,
    FILES_DOMAIN: settings.filesDomain,
    POSTS_DOMAIN: settings.postsDomain,
  })
    .map(([name, domain]) => ({ name, host: domain.replace(/:\d+$/, '') }))
    .filter(({ host }) => !/(^|\.)localhost$/.test(host))
  if (domains.length === 0) return []
  // The list is large, and most development machines don't need it.
  const { getDomain, getPublicSuffix } = await import('tldts')
  const main = getDomain(new URL(settings.apiRoot).hostname)
  return domains.flatMap(({ name, host }) => {
    if (getPublicSuffix(host, { allowPrivateDomains: true }) === host) return []
    const registrable = getDomain(host)
    if (registrable === main)
      return [
        `${name} (${host}) shares the registrable domain of API_ROOT, so content could set cookies for it. Use another domain.`,
      ]
    if (registrable !== host)
      return [
        `${name} (${host}) is not a domain that can be registered. Use ${registrable === null ? 'a registrable domain such as example.com' : `${registrable} or a similar domain`}.`,
      ]
    return [
      `${name} (${host}) is not on the Public Suffix List, so content at one of its subdomains could set cookies for the others. Submit it at https://publicsuffix.org/submit/.`,
    ]
  })
}
