import { sqlOf } from '../../db/orm.ts'
import { findPageByOrigin, readSpaceContent } from '../../db/queries/delivery.ts'
import type { Core } from '../context.ts'
import type { RenderResult, SiteSnapshot } from '../liquid/renderer.ts'

/** A page at one revision of its space. */
export interface PageRow {
  space_id: string
  subdomain: string
  revision: string
  page_id: string
  slug: string
  kind: 'scripted' | 'static'
  html: string
}

/** Times that a page is read anew because its space changed meanwhile; after that, what was read is shown. */
const ATTEMPTS = 4

/** The space changed after the page was read, so that page and space would be of different moments. */
class SpaceMoved extends Error {}

/**
 * Evaluates a page with everything of its space, both as they are at one moment.
 * Null when the page was deleted in the meantime.
 *
 * @throws RendererBusyError when too many pages are waiting
 */
export const evaluate = async (core: Core, row: PageRow): Promise<RenderResult | null> => {
  let current: PageRow | undefined = row
  for (let attempt = 1; current; attempt++) {
    try {
      return await render(core, current, attempt < ATTEMPTS)
    } catch (error) {
      if (!(error instanceof SpaceMoved)) throw error
      current = await findPageByOrigin(sqlOf(core.orm.em.fork()), row.page_id)
    }
  }
  return null
}

const render = (core: Core, row: PageRow, isStrict: boolean): Promise<RenderResult> =>
  core.renderer.render({
    space: row.space_id,
    revision: row.revision,
    snapshot: () => readSnapshot(core, row, isStrict),
    page: {
      id: row.page_id,
      slug: row.slug,
      url: core.addresses.page(row.subdomain, row.slug),
      kind: row.kind,
      html: row.html,
    },
  })

/** Everything that the templates of a space can read (contract: "Template evaluation"). */
const readSnapshot = async (
  { orm, addresses }: Core,
  row: PageRow,
  isStrict: boolean,
): Promise<SiteSnapshot> => {
  const content = await readSpaceContent(sqlOf(orm.em.fork()), row.space_id)
  if (!content) throw new SpaceMoved('deleted')
  if (isStrict && content.revision !== row.revision) throw new SpaceMoved('changed')
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
