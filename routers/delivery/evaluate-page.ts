import { sqlOf } from '../../db/orm.ts'
import { readPageBody, readSpaceContent } from '../../db/queries/delivery.ts'
import { type Content, snapshotOf } from '../content/site-snapshot.ts'
import type { Core } from '../core/context.ts'
import {
  type HeadOutcome,
  RendererBusyError,
  type RenderOutcome,
  type RenderRequest,
} from '../core/renderer.ts'

/** A page at one revision of its space. */
export interface PageRow {
  space_id: string
  subdomain: string
  revision: string
  page_id: string
  slug: string
  kind: 'scripted' | 'static'
}

/** Times that a page is read together with its whole space, because the space changes faster than it can be read. */
const ATTEMPTS = 5

/** The space changed after the page was found, so that page and space would be of different moments. */
class SpaceMoved extends Error {}

/**
 * Evaluates a page with everything of its space, both as they are at one moment.
 * Null when the page was deleted in the meantime.
 *
 * @throws RendererBusyError when too many pages are waiting
 */
export const evaluate = (core: Core, row: PageRow): Promise<RenderOutcome | null> =>
  atOneMoment(core, row, request => core.renderer.render(request))

/** What a page's document says about itself, or what is wrong with its template; else as `evaluate`. */
export const evaluateHead = (core: Core, row: PageRow): Promise<HeadOutcome | null> =>
  atOneMoment(core, row, request => core.renderer.head(request))

const atOneMoment = async <Outcome>(
  core: Core,
  row: PageRow,
  work: (request: RenderRequest) => Promise<Outcome>,
): Promise<Outcome | null> => {
  const first = await unlessMoved(work(requestFor(core, row)))
  if (first) return first
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const content = await readContent(core, row)
    if (!content?.page) return null
    // Keep the kind: the handler of a static page shows the result as static, so it must be sanitized.
    const current = { ...row, slug: content.page.slug, revision: content.revision }
    // A reading of this revision that is under way already, for another reader, may still find that the space moved.
    const result = await unlessMoved(work(requestFor(core, current, content)))
    if (result) return result
  }
  throw new RendererBusyError('The space changes faster than it can be read.')
}

/** The result, or null when the space had moved. */
const unlessMoved = <Outcome>(result: Promise<Outcome>): Promise<Outcome | null> =>
  result.catch((error: unknown) => {
    if (error instanceof SpaceMoved) return null
    throw error
  })

const readContent = ({ orm }: Core, row: PageRow) => readSpaceContent(sqlOf(orm), row.space_id, row.page_id)

/**
 * The request of a page at its row's revision. Space and body are only read when a child lacks them, the body together
 * with the space where both are wanted.
 *
 * @param given what was read of that revision already
 */
const requestFor = (core: Core, row: PageRow, given?: Content): RenderRequest => {
  let content = given
  const atRevision = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new SpaceMoved()
    return value
  }
  return {
    space: row.space_id,
    revision: row.revision,
    snapshot: async () => {
      const read = content ?? (await readContent(core, row))
      content = atRevision(read?.revision === row.revision ? read : undefined)
      return snapshotOf(core.addresses, content)
    },
    body: async () => atRevision(content?.page?.html ?? (await readPageBody(sqlOf(core.orm), row))),
    page: {
      id: row.page_id,
      slug: row.slug,
      url: core.addresses.page(row.subdomain, row.slug),
      kind: row.kind,
    },
  }
}
