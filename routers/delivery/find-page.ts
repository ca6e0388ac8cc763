import { ID_PATTERN } from '../../db/id.ts'
import { sqlOf } from '../../db/orm.ts'
import { findPageByOrigin, findSitePage } from '../../db/queries/delivery.ts'
import type { Core } from '../core/context.ts'
import { limits, rules } from '../core/rules.ts'
import type { PageRow } from './evaluate-page.ts'

const SUBDOMAIN = new RegExp(limits.subdomain)
const SLUG = new RegExp(rules.page.slug.pattern)

/** A site, as visitors see it. */
export interface Site {
  id: string
  subdomain: string
  name: string
  url: string
  /** Differs after every change to what the site shows; never reused. */
  revision: string
  createdAt: Date
  /** Differs for every new icon; null when the site has no icon. */
  iconId: string | null
}

/** An existing page, with the fields that its evaluation needs. */
export interface FoundPage {
  id: string
  slug: string
  kind: 'scripted' | 'static'
  /** The page's URL on the site. */
  url: string
  row: PageRow
}

/**
 * Finds a site and its page with a slug, in one query. Returns null when the site does not exist. The page is null when
 * the site has no page with that slug, or the text is not a valid slug.
 */
export const findOnSite = async (
  core: Core,
  subdomain: string,
  slug: string,
): Promise<{ site: Site; page: FoundPage | null } | null> => {
  if (!SUBDOMAIN.test(subdomain)) return null
  const row = await findSitePage(sqlOf(core.orm), subdomain, SLUG.test(slug) ? slug : '')
  if (!row) return null
  const site = {
    id: row.space_id,
    subdomain: row.subdomain,
    name: row.name,
    url: core.addresses.site(row.subdomain),
    revision: row.revision,
    createdAt: row.created_at,
    iconId: row.icon_id,
  }
  const { page_id, slug: found, kind } = row
  if (page_id === null || found === null || kind === null) return { site, page: null }
  return { site, page: foundPage(core, { ...row, page_id, slug: found, kind }) }
}

/** Finds the page whose own origin contains this id, with its site's URL. Returns null when there is none. */
export const findByOrigin = async (
  core: Core,
  id: string,
): Promise<{ siteUrl: string; page: FoundPage } | null> => {
  if (!ID_PATTERN.test(id)) return null
  const row = await findPageByOrigin(sqlOf(core.orm), id)
  return row ? { siteUrl: core.addresses.site(row.subdomain), page: foundPage(core, row) } : null
}

const foundPage = (core: Core, row: PageRow): FoundPage => ({
  id: row.page_id,
  slug: row.slug,
  kind: row.kind,
  url: core.addresses.page(row.subdomain, row.slug),
  row,
})
