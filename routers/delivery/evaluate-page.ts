import type { Delivery } from '../api/context.ts'
import {
  type HeadOutcome,
  RendererBusyError,
  type RenderOutcome,
  type RenderRequest,
} from '../api/renderer.ts'
import type { Sites } from '../api/sites.ts'
import { type Content, snapshotOf } from '../content/previews/snapshot.ts'

/** A page at one revision of its space. */
export interface PageRow {
  space_id: string
  /** The account whose turn in the renderer the page takes: the space's first participant, or who asked for the page. */
  account: string
  subdomain: string
  /** The domain of the site's main address at this revision; null for its subdomain. */
  main_host: string | null
  revision: string
  page_id: string
  slug: string
  kind: 'scripted' | 'static'
}

/** Maximum number of attempts to read a page and its space at the same revision, while the space keeps changing. */
const ATTEMPTS = 5

/** Thrown when the space changed after the page was found: page and space would have different revisions. */
class SpaceMoved extends Error {}

/**
 * Evaluates a page with the content of its space, both at the same revision. Returns null when the page was deleted in
 * the meantime.
 *
 * @throws RendererBusyError when too many pages are waiting
 */
export const evaluate = (core: Delivery, row: PageRow): Promise<RenderOutcome | null> =>
  atOneMoment(core, row, request => core.renderer.render(request))

/** Like `evaluate`, but returns only the head of the document, or the template error. */
export const evaluateHead = (core: Delivery, row: PageRow): Promise<HeadOutcome | null> =>
  atOneMoment(core, row, request => core.renderer.head(request))

const atOneMoment = async <Outcome>(
  core: Delivery,
  row: PageRow,
  work: (request: RenderRequest) => Promise<Outcome>,
): Promise<Outcome | null> => {
  const first = await unlessMoved(work(requestFor(core, row)))
  if (first) return first
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const content = await core.sites.readSpaceContent(row.space_id, row.page_id)
    if (!content?.page) return null
    // Keep the kind in `row`, even if the page has another kind by now, because the handler sends the page as the kind
    // in `row`. Only static pages are sanitized. With the new kind, an unsanitized page could be sent as static.
    const current = {
      ...row,
      slug: content.page.slug,
      main_host: content.main_host,
      revision: content.revision,
    }
    // Another reader may have started an evaluation of the page at the same revision. This call then shares that
    // evaluation. The shared evaluation can still fail because the space has changed.
    const result = await unlessMoved(work(requestFor(core, current, content)))
    if (result) return result
  }
  throw new RendererBusyError('The space changes faster than it can be read.')
}

/** Returns the result, or null when the space changed after the page was found. */
const unlessMoved = <Outcome>(result: Promise<Outcome>): Promise<Outcome | null> =>
  result.catch((error: unknown) => {
    if (error instanceof SpaceMoved) return null
    throw error
  })

/** Reads the content of the page's space if the space is still at the row's revision. */
const readContentAt = async (sites: Sites, row: PageRow): Promise<Content | undefined> => {
  const content = await sites.readSpaceContent(row.space_id, row.page_id)
  return content?.revision === row.revision ? content : undefined
}

/**
 * Builds the request to the renderer for a page at the revision of `row`. The renderer calls `snapshot` or `body` only
 * if the worker does not have that data. `snapshot` also reads the body, so that `body` then needs no query.
 *
 * @param given the content at the revision of `row`, if it has already been read
 */
const requestFor = (core: Delivery, row: PageRow, given?: Content): RenderRequest => {
  let content = given
  const atRevision = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new SpaceMoved()
    return value
  }
  return {
    space: row.space_id,
    account: row.account,
    revision: row.revision,
    snapshot: async () => {
      content = atRevision(content ?? (await readContentAt(core.sites, row)))
      return snapshotOf(core.addresses, content)
    },
    body: async () => atRevision(content?.page?.html ?? (await core.sites.readPageBody(row))),
    page: {
      id: row.page_id,
      slug: row.slug,
      url: core.addresses.mainPage(row, row.slug),
      kind: row.kind,
    },
  }
}
