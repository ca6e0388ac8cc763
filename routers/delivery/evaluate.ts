import { sqlOf } from '../../db/orm.ts'
import { readSpaceContent } from '../../db/queries/delivery.ts'
import type { Addresses } from '../addresses.ts'
import type { Core } from '../context.ts'
import { RendererBusyError, type RenderResult, type SiteSnapshot } from '../liquid/renderer.ts'

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

/** Times that a page is read together with its whole space, because the space changes faster than it can be read. */
const ATTEMPTS = 5

/** The space changed after the page was read, so that page and space would be of different moments. */
class SpaceMoved extends Error {}

type Content = NonNullable<Awaited<ReturnType<typeof readSpaceContent>>>

/**
 * Evaluates a page with everything of its space, both as they are at one moment.
 * Null when the page was deleted in the meantime.
 *
 * @throws RendererBusyError when too many pages are waiting
 */
export const evaluate = async (core: Core, row: PageRow): Promise<RenderResult | null> => {
  const first = await unlessMoved(
    render(core, row, async () => {
      const content = await readContent(core, row)
      if (content?.revision !== row.revision) throw new SpaceMoved()
      return snapshotOf(core.addresses, content)
    }),
  )
  if (first) return first
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const content = await readContent(core, row)
    if (!content?.page) return null
    // Its kind stays: whoever opened a static page is going to show what comes back as one, so it must be sanitized.
    const current = { ...row, ...content.page, revision: content.revision }
    // A reading of this revision that is under way already, for another reader, may still find that the space moved.
    const result = await unlessMoved(render(core, current, async () => snapshotOf(core.addresses, content)))
    if (result) return result
  }
  throw new RendererBusyError('The space changes faster than it can be read.')
}

/** The result, or null when the space had moved. */
const unlessMoved = (result: Promise<RenderResult>): Promise<RenderResult | null> =>
  result.catch(error => {
    if (error instanceof SpaceMoved) return null
    throw error
  })

const readContent = ({ orm }: Core, row: PageRow) =>
  readSpaceContent(sqlOf(orm.em.fork()), row.space_id, row.page_id)

const render = (
  { addresses, renderer }: Core,
  row: PageRow,
  snapshot: () => Promise<SiteSnapshot>,
): Promise<RenderResult> =>
  renderer.render({
    space: row.space_id,
    revision: row.revision,
    snapshot,
    page: {
      id: row.page_id,
      slug: row.slug,
      url: addresses.page(row.subdomain, row.slug),
      kind: row.kind,
      html: row.html,
    },
  })

/** Everything that the templates of a space can read (contract: "Template evaluation"). */
const snapshotOf = (addresses: Addresses, content: Content): SiteSnapshot => {
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
