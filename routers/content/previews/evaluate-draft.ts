import { createHash } from 'node:crypto'
import { sqlOf } from '../../../db/orm.ts'
import { findRevision, readSpaceContent } from '../../../db/queries/delivery.ts'
import type { SpaceRef } from '../../core/actor.ts'
import type { Core } from '../../core/context.ts'
import { Problem } from '../../core/problem.ts'
import type { RenderOutcome, SiteSnapshot } from '../../core/renderer.ts'
import { snapshotOf } from '../site-snapshot.ts'

/** A page whose text is not that of a stored one. */
interface DraftPage {
  slug: string
  kind: 'scripted' | 'static'
  html: string
}

/** A part whose text takes the place of stored parts. */
export interface DraftPart {
  /** Sets it apart from drafts of other parts. */
  id: string
  /** What templates find it by: the stored name, the new one, or both. */
  names: string[]
  html: string
}

/**
 * Evaluates what has not been saved with everything that the space has. To the renderer drafts are a space of their
 * own, so that one that had to be cut off puts none of the saved pages under suspicion.
 *
 * @throws RendererBusyError when too many pages are waiting
 */
export const evaluateDraft = async (
  core: Core,
  space: SpaceRef,
  { slug, kind, html }: DraftPage,
  part?: DraftPart,
): Promise<RenderOutcome> => {
  const sql = sqlOf(core.orm)
  const revision = await findRevision(sql, space.id)
  if (revision === undefined) throw new Problem('space_not_found')
  return core.renderer.render({
    space: `draft ${space.id} ${part?.id ?? ''}`,
    revision: part ? `${revision} ${digest(...part.names, part.html)}` : revision,
    // What is read may be newer than the revision asked for: drafts have no version to be held to.
    snapshot: async () => {
      const content = await readSpaceContent(sql, space.id, '')
      if (!content) throw new Problem('space_not_found')
      const snapshot = snapshotOf(core.addresses, content)
      return part ? withPart(snapshot, part) : snapshot
    },
    body: async () => html,
    page: { id: digest(slug, kind, html), slug, kind, url: core.addresses.page(space.subdomain, slug) },
  })
}

const withPart = (snapshot: SiteSnapshot, { names, html }: DraftPart): SiteSnapshot => ({
  ...snapshot,
  parts: [
    ...snapshot.parts.filter(({ name }) => !names.includes(name)),
    ...names.map(name => ({ name, html })),
  ],
})

/** Draft and version in one: to the renderer the same id at the same revision is the same text. */
const digest = (...texts: string[]) => createHash('sha256').update(JSON.stringify(texts)).digest('base64')
