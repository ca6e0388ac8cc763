import { z } from 'zod'
import { sqlOf } from '../../db/orm.ts'
import { findRevision } from '../../db/queries/delivery.ts'
import { listPages } from '../../db/queries/pages.ts'
import { asParticipant } from '../access/signed-in.ts'
import { TemplateFault } from '../content/previews/schema.ts'
import type { SpaceRef } from '../core/actor.ts'
import type { Core } from '../core/context.ts'
import { subdomain } from '../core/fields.ts'
import { router } from '../core/trpc.ts'
import { evaluateHead } from './evaluate-page.ts'

/** Time after which no further page is evaluated, in ms. */
const PATIENCE_MS = 10_000

/** No further page is evaluated while at least this many evaluations wait. */
const BUSY = 8

const FailingPages = z.object({
  pages: z.array(z.object({ id: z.string(), slug: z.string(), error: TemplateFault })),
  /** Whether every page was evaluated. */
  is_complete: z.boolean(),
})

/** The checks in progress, by space, so that each space is checked once at a time. */
const running = new Map<string, Promise<z.output<typeof FailingPages>>>()

const checkPages = async (core: Core, space: SpaceRef): Promise<z.output<typeof FailingPages>> => {
  const sql = sqlOf(core.orm)
  const [pages, revision] = await Promise.all([listPages(sql, space.id), findRevision(sql, space.id)])
  const end = performance.now() + PATIENCE_MS
  const failing: z.output<typeof FailingPages>['pages'] = []
  for (const { id, slug, kind } of pages) {
    if (revision === undefined || performance.now() > end || core.renderer.load.waiting >= BUSY)
      return { pages: failing, is_complete: false }
    const row = { space_id: space.id, subdomain: space.subdomain, revision, page_id: id, slug, kind }
    const outcome = await evaluateHead(core, row)
    if (outcome && !outcome.ok) failing.push({ id, slug, error: outcome.error })
  }
  return { pages: failing, is_complete: true }
}

/** What the dashboard shows about the delivery of a site. */
export const delivery = router({
  /** The pages that show visitors a template error now. Evaluates the pages one after another, as for visitors. */
  failingPages: asParticipant
    .input(z.strictObject({ subdomain }))
    .output(FailingPages)
    .query(({ ctx: { core, space } }) => {
      const check = running.get(space.id) ?? checkPages(core, space).finally(() => running.delete(space.id))
      running.set(space.id, check)
      return check
    }),
})
