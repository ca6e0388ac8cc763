import { getDomain, getPublicSuffix } from 'tldts'
import type { Settings } from './settings.ts'

/**
 * Checks the content domains against the Public Suffix List that is bundled with `tldts`. Domains under `localhost`
 * are not checked.
 *
 * @returns one warning for each unsafe domain, with what to do about it
 */
export const domainWarnings = (settings: Settings): string[] => {
  const main = getDomain(new URL(settings.apiRoot).hostname)
  const domains = {
    SITE_DOMAIN: settings.siteDomain,
    PAGES_DOMAIN: settings.pagesDomain,
    FILES_DOMAIN: settings.filesDomain,
    POSTS_DOMAIN: settings.postsDomain,
  }
  return Object.entries(domains).flatMap(([name, domain]) => {
    const host = domain.replace(/:\d+$/, '')
    if (/(^|\.)localhost$/.test(host)) return []
    if (getPublicSuffix(host, { allowPrivateDomains: true }) === host) return []
    const registrable = getDomain(host)
    if (registrable === main)
      return [
        `${name} (${host}) shares the registrable domain of API_ROOT, so content could set cookies for it. Use another domain.`,
      ]
    if (registrable !== host)
      return [
        `${name} (${host}) is not a registrable domain. Use ${registrable === null ? 'one' : `${registrable} or a similar domain`}.`,
      ]
    return [
      `${name} (${host}) is not on the Public Suffix List, so content at one of its subdomains could set cookies for the others. Submit it at https://publicsuffix.org/submit/.`,
    ]
  })
}
