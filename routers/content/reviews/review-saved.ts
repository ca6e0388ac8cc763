import { sqlOf } from '../../../db/orm.ts'
import { listPagesIncluding } from '../../../db/queries/including-pages.ts'
import { findPage } from '../../../db/queries/pages.ts'
import type { SpaceRef } from '../../core/actor.ts'
import type { Core, SavedTemplate } from '../../core/context.ts'
import type { PageReview, RenderOutcome, TemplateError } from '../../core/renderer.ts'
import { evaluateDraft } from '../previews/evaluate-draft.ts'

/** What is wrong with what was saved. */
export interface SavedReview {
  /** Pages that show an error instead of their content. */
  broken: { slug: string; error: TemplateError }[]
  hints: PageReview['hints']
  links: PageReview['links']
  removed: PageReview['removed']
}

/** Maximum number of pages with a saved part that are evaluated. */
const MAX_PAGES = 10

/** Maximum time that the caller waits, in ms. After it, no further page is evaluated. */
const PATIENCE_MS = 1_500

/** Number of waiting evaluations at which nothing is reviewed. */
const BUSY = 8

/**
 * Evaluates saved pages, and pages with saved parts. Returns what was found in time; less while the renderer is busy.
 *
 * @throws RendererBusyError, and errors of the database
 */
export const reviewSaved = async (
  core: Core,
  space: SpaceRef,
  saved: readonly SavedTemplate[],
): Promise<SavedReview> => {
  const found: SavedReview = { broken: [], hints: [], links: [], removed: [] }
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, PATIENCE_MS)
  const end = performance.now() + PATIENCE_MS
  const isLate = () => performance.now() > end || core.renderer.load.waiting >= BUSY
  const work = async () => {
    for (const template of saved) {
      if (isLate()) return
      if (template.kind === 'page') await reviewPage(core, space, template.id, found)
      else await reviewPart(core, space, template, found, isLate)
    }
  }
  try {
    await Promise.race([work(), timeout])
  } finally {
    clearTimeout(timer)
  }
  // A copy: the work may still add to it after the timeout.
  return {
    broken: [...found.broken],
    hints: unique(found.hints),
    links: unique(found.links),
    removed: unique(found.removed),
  }
}

const reviewPage = async (core: Core, space: SpaceRef, id: string, found: SavedReview) => {
  const page = await findPage(sqlOf(core.orm), space.id, id)
  if (page) collect(found, page.slug, await evaluateDraft(core, space, page))
}

/** Reviews a part in the pages that include it, or alone if no page does. */
const reviewPart = async (
  core: Core,
  space: SpaceRef,
  { name, names }: SavedTemplate & { kind: 'part' },
  found: SavedReview,
  isLate: () => boolean,
) => {
  const pages = await listPagesIncluding(sqlOf(core.orm), space.id, names, MAX_PAGES)
  const ofPart = ({ where }: PageReview['hints'][number]) => where.body === 'part' && where.name === name
  for (const page of pages) {
    if (isLate()) return
    const outcome = await evaluateDraft(core, space, page)
    if (!outcome.ok) collect(found, page.slug, outcome)
    else found.hints.push(...(outcome.review?.hints.filter(ofPart) ?? []))
  }
  if (pages.length > 0) return
  const alone = { slug: 'index', kind: 'scripted' as const, html: `{% include '${name}' %}` }
  const outcome = await evaluateDraft(core, space, alone)
  if (outcome.ok) found.hints.push(...(outcome.review?.hints.filter(ofPart) ?? []))
  else if (outcome.error.where.body === 'part') collect(found, '', outcome)
}

const collect = (found: SavedReview, slug: string, outcome: RenderOutcome) => {
  if (!outcome.ok) return void found.broken.push({ slug, error: outcome.error })
  found.hints.push(...(outcome.review?.hints ?? []))
  found.links.push(...(outcome.review?.links ?? []))
  found.removed.push(...(outcome.review?.removed ?? []))
}

const unique = <Item>(items: readonly Item[]): Item[] => [
  ...new Map(items.map(item => [JSON.stringify(item), item])).values(),
]
