import { LRUCache } from 'lru-cache'
import type { Delivery } from '../api/context.ts'
import { limits, rules } from '../api/rules.ts'
import type { Sites } from '../api/sites.ts'
import type { PageRow } from './evaluate-page.ts'
import { originFinder } from './find-space.ts'

const SUBDOMAIN = new RegExp(limits.subdomain)
const SLUG = new RegExp(rules.page.slug.pattern)

/** A site, as visitors see it. */
export interface Site {
  id: string
  /** The account whose turns in the renderer its pages take. */
  account: string
  subdomain: string
  /** The host of the site's subdomain, which never changes. */
  hostname: string
  /** The domain of the main address; null for the subdomain. */
  mainHost: string | null
  name: string
  /** The main address, without a trailing slash. */
  url: string
  /** Changes whenever the site's content changes, and is never reused. */
  revision: string
  createdAt: Date
  /** Every new icon has a new id; null when the site has no icon. */
  iconId: string | null
}

/** An existing page, with the fields that are needed to evaluate it. */
export interface FoundPage {
  id: string
  slug: string
  kind: 'scripted' | 'static'
  /** The page's URL on the site. */
  url: string
  /** The address of the page's editor; null if there is none. */
  editor: string | null
  row: PageRow
}

/** Maximum number of pages whose site and metadata are kept in memory. */
const KNOWN_PAGES = 4096

/** Maximum number of sites whose ids are kept in memory. */
const KNOWN_SITES = 16_384

/** A site and the requested page; `page` is null if the site has no such page. */
interface OnSite {
  site: Site
  page: FoundPage | null
}

/**
 * Returns a function that finds a site by its subdomain, and the site's page by its slug. It returns null when the site
 * does not exist. The page is null when the site has no page with that slug, or when the slug is malformed.
 *
 * For a page that was found before, one small query reads the revision of its site. Concurrent requests for the same
 * site share that query.
 */
export const siteFinder = (core: Delivery) => {
  const known = new LRUCache<string, OnSite>({ max: KNOWN_PAGES })
  const ids = new LRUCache<string, { id: string; account_id: string | null }>({ max: KNOWN_SITES })
  const { sites } = core

  const find = async (subdomain: string, slug: string) => {
    const before = ids.get(subdomain)
    const row = before && (await sites.findSitePage(before.id, slug))
    if (row) return { ...row, account: accountOf(row, before) }
    // The site is not known yet, or it was deleted and the subdomain may now belong to another site.
    const site = await sites.findSiteId(subdomain)
    if (site) ids.set(subdomain, site)
    else ids.delete(subdomain)
    const found = site && (await sites.findSitePage(site.id, slug))
    return found && { ...found, account: accountOf(found, site) }
  }

  return async (subdomain: string, slug: string): Promise<OnSite | null> => {
    if (!SUBDOMAIN.test(subdomain)) return null
    const key = `${subdomain}/${slug}`
    const before = known.get(key)
    if (before) {
      const revision = await sites.findRevision(before.site.id)
      if (revision === before.site.revision) return before
    }
    const row = await find(subdomain, SLUG.test(slug) ? slug : '')
    // Read the icon after the revision. If it were read before, it could be outdated, and would stay in memory until
    // the revision changes.
    const found = row ? onSite(core, row, (await sites.findSiteIconId(row.space_id))?.id ?? null) : null
    if (found?.page) known.set(key, found)
    else known.delete(key)
    return found
  }
}

type SiteRow = NonNullable<Awaited<ReturnType<Sites['findSitePage']>>> & Pick<PageRow, 'account'>

/** A space without participants counts as an account. */
const accountOf = ({ space_id }: { space_id: string }, { account_id }: { account_id: string | null }) =>
  account_id ?? space_id

const onSite = (core: Delivery, row: SiteRow, iconId: string | null): OnSite => {
  const site = {
    id: row.space_id,
    account: row.account,
    subdomain: row.subdomain,
    hostname: new URL(core.addresses.site(row.subdomain)).hostname,
    mainHost: row.main_host,
    name: row.name,
    url: core.addresses.mainSite(row),
    revision: row.revision,
    createdAt: row.created_at,
    iconId,
  }
  const { page_id, slug: found, kind } = row
  if (page_id === null || found === null || kind === null) return { site, page: null }
  return { site, page: foundPage(core, { ...row, page_id, slug: found, kind }) }
}

/**
 * Returns a function that finds a page by the id in the page's own origin. The function returns the page and the URL
 * of the site, or null if there is no such page.
 */
export const pageFinder = (core: Delivery) => {
  const spaceOf = originFinder(core, 'page')
  return async (id: string): Promise<{ siteUrl: string; page: FoundPage } | null> => {
    const space = await spaceOf(id)
    if (!space) return null
    const row = await core.sites.findDeliveredPage(space.space_id, id)
    if (!row) return null
    const page = foundPage(core, { ...row, account: accountOf(row, space) })
    return { siteUrl: core.addresses.mainSite(row), page }
  }
}

const foundPage = (core: Delivery, row: PageRow): FoundPage => ({
  id: row.page_id,
  slug: row.slug,
  kind: row.kind,
  url: core.addresses.mainPage(row, row.slug),
  editor: core.addresses.pageEditor(row.subdomain, row.page_id),
  row,
})
