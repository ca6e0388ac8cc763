import { type Orm, sqlOf } from '../../db/orm.ts'
import { findPageByOrigin, findSitePage, readSpaceContent } from '../../db/queries/delivery.ts'
import type { Addresses } from '../addresses.ts'
import type { Core } from '../context.ts'
import type { RenderResult, SiteSnapshot } from '../liquid/renderer.ts'

/** A page as it is delivered. */
export interface OpenedPage {
  page: { id: string; slug: string; kind: 'scripted' | 'static'; url: string }
  /** The evaluated page, or what is wrong with its template. */
  result: RenderResult
}

/** Opens a page at its site's address; null when there is no such site or page. */
export const openPageOnSite = async (
  core: Core,
  subdomain: string,
  slug: string,
): Promise<OpenedPage | null> => {
  const row = await findSitePage(sqlOf(core.orm.em.fork()), subdomain, slug)
  if (!row || row.page_id === null || row.slug === null || row.kind === null || row.html === null) return null
  return evaluate(core, { ...row, page_id: row.page_id, slug: row.slug, kind: row.kind, html: row.html })
}

/** Opens a page at the origin of its own; null when there is no such page. */
export const openPageAtOrigin = async (core: Core, id: string): Promise<OpenedPage | null> => {
  const row = await findPageByOrigin(sqlOf(core.orm.em.fork()), id)
  return row ? evaluate(core, row) : null
}

interface PageRow {
  space_id: string
  subdomain: string
  revision: string
  page_id: string
  slug: string
  kind: 'scripted' | 'static'
  html: string
}

const evaluate = async (core: Core, row: PageRow): Promise<OpenedPage> => {
  const page = {
    id: row.page_id,
    slug: row.slug,
    kind: row.kind,
    url: core.addresses.page(row.subdomain, row.slug),
  }
  const result = await core.renderer.render({
    space: row.space_id,
    revision: row.revision,
    snapshot: () => readSnapshot(core.orm, core.addresses, row.space_id),
    page: { ...page, html: row.html },
  })
  return { page, result }
}

/** Everything that the templates of a space can read (contract: "Template evaluation"). */
const readSnapshot = async (orm: Orm, addresses: Addresses, spaceId: string): Promise<SiteSnapshot> => {
  const content = await readSpaceContent(sqlOf(orm.em.fork()), spaceId)
  if (!content) throw new Error(`Space ${spaceId} was deleted while a page of it was being opened`)
  const { name, subdomain } = content
  return {
    space: { name, subdomain, url: addresses.site(subdomain) },
    pages: content.pages.map(slug => ({ slug, url: addresses.page(subdomain, slug) })),
    files: content.files.map(({ id, name, content_type, size }) => ({
      name,
      contentType: content_type,
      size,
      url: addresses.file(id),
    })),
    data: Object.fromEntries(content.data.map(({ key, value }) => [key, value])),
    parts: content.parts,
  }
}
