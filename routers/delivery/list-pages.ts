import type { Delivery } from '../api/context.ts'
import { mapInSlices } from '../api/slices.ts'
import type { Site } from './find-page.ts'

/** A page in a site's list. */
export interface ListedPage {
  id: string
  slug: string
  kind: 'scripted' | 'static'
  url: string
  createdAt: Date
  updatedAt: Date
}

/** Which pages of a site to list. */
export interface Section {
  /** The order of the list: by slug, or newest first. */
  order: 'slug' | 'newest'
  /** Number of pages to skip. */
  offset?: number
  /** Maximum number of pages. */
  limit: number
}

/** Returns a section of a site's pages. */
export const pagesOfSite = async (
  core: Delivery,
  site: Site,
  { order, offset = 0, limit }: Section,
): Promise<ListedPage[]> => {
  const rows = await core.sites.listSitePages(site.id, { order, offset, limit })
  return mapInSlices(rows, row => ({
    id: row.id,
    slug: row.slug,
    kind: row.kind,
    url: `${site.url}/${row.slug}`,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }))
}

/** Returns the number of a site's pages. */
export const countPagesOfSite = (core: Delivery, site: Site): Promise<number> =>
  core.sites.countSitePages(site.id)
