import { sqlOf } from '../../db/orm.ts'
import { findRevision } from '../../db/queries/delivery.ts'
import { listPages } from '../../db/queries/pages.ts'
import type { SpaceRef } from '../core/actor.ts'
import type { Core } from '../core/context.ts'
import type { TemplateError } from '../core/renderer.ts'
import { evaluateHead } from './evaluate-page.ts'

/** Time after which no further page is evaluated, in ms. */
const PATIENCE_MS = 10_000

/** No further page is evaluated while at least this many evaluations wait. */
const BUSY = 8

/** What evaluating the pages of a space has shown. */
export interface CheckedPages {
  /** The pages that show visitors a template error. */
  failing: { id: string; slug: string; error: TemplateError }[]
  /** The pages whose document has a title. */
  titled: { id: string; slug: string; title: string }[]
  /** Whether every page was evaluated. */
  isComplete: boolean
}

/** The checks in progress, by space, so that each space is checked once at a time. */
const running = new Map<string, Promise<CheckedPages>>()

/**
 * Evaluates the pages of a space one after another, as for visitors. Pages that have not changed since a visitor or an
 * earlier check are taken from the renderer's cache. Leaves pages out while the renderer is busy.
 */
export const checkPages = (core: Core, space: SpaceRef): Promise<CheckedPages> => {
  const check = running.get(space.id) ?? evaluatePages(core, space).finally(() => running.delete(space.id))
  running.set(space.id, check)
  return check
}

const evaluatePages = async (core: Core, space: SpaceRef): Promise<CheckedPages> => {
  const sql = sqlOf(core.orm)
  const [pages, revision] = await Promise.all([listPages(sql, space.id), findRevision(sql, space.id)])
  const end = performance.now() + PATIENCE_MS
  const checked: CheckedPages = { failing: [], titled: [], isComplete: true }
  for (const { id, slug, kind } of pages) {
    if (revision === undefined || performance.now() > end || core.renderer.load.waiting >= BUSY)
      return { ...checked, isComplete: false }
    const row = { space_id: space.id, subdomain: space.subdomain, revision, page_id: id, slug, kind }
    const outcome = await evaluateHead(core, row)
    if (outcome && !outcome.ok) checked.failing.push({ id, slug, error: outcome.error })
    else if (outcome?.ok && outcome.head.title !== null)
      checked.titled.push({ id, slug, title: outcome.head.title })
  }
  return checked
}
