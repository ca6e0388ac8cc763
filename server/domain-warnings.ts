import { getDomain, getPublicSuffix } from 'tldts'
import type { Settings } from './settings.ts'

/**
 * What is not safe about the content domains, by the Public Suffix List of when the packages were made. Domains
 * under `localhost` are for trying things out and are not judged.
 *
 * @returns one sentence for each domain that needs something done
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
        `${name} (${host}) shares the registrable domain of API_ROOT: content can set cookies for it. Use another one.`,
      ]
    if (registrable !== host)
      return [
        `${name} (${host}) is not a registrable domain of its own: use ${registrable ?? 'one'}, or one like it.`,
      ]
    return [
      `${name} (${host}) is not on the Public Suffix List: what opens at one name below it can set cookies for its siblings. Submit it at https://publicsuffix.org/submit/.`,
    ]
  })
}
