import { sqlOf } from '../../db/orm.ts'
import { listSitePages } from '../../db/queries/delivery.ts'
import type { Core } from '../core/context.ts'
import type { Site } from './find-page.ts'

/** A page as lists of a site name it. */
export interface ListedPage {
  id: string
  slug: string
  url: string
  createdAt: Date
  updatedAt: Date
}

/** The pages of a site, newest first; all of them, or the newest `most`. One query. */
export const pagesOfSite = async (core: Core, site: Site, most?: number): Promise<ListedPage[]> => {
  const rows = await listSitePages(sqlOf(core.orm), site.id, most)
  return rows.map(row => ({
    id: row.id,
    slug: row.slug,
    url: core.addresses.page(site.subdomain, row.slug),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }))
}
