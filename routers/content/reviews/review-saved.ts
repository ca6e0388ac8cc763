import { sqlOf } from '../../../db/orm.ts'
import { listPagesIncluding } from '../../../db/queries/including-pages.ts'
import { findPage } from '../../../db/queries/pages.ts'
import type { SpaceRef } from '../../core/actor.ts'
import type { Core, SavedTemplate } from '../../core/context.ts'
import type { PageReview, RenderOutcome, TemplateError } from '../../core/renderer.ts'
import { type DraftPart, evaluateDraft } from '../previews/evaluate-draft.ts'

/** The problems found in saved templates. */
export interface SavedReview {
  /** Pages that show an error instead of their content. */
  broken: { slug: string; error: TemplateError }[]
  hints: PageReview['hints']
  links: PageReview['links']
  removed: PageReview['removed']
  /** Whether everything was evaluated in time. */
  isComplete: boolean
}

/** Maximum number of pages that are evaluated because they include a saved part. */
const MAX_PAGES = 10

/** How long the caller waits for a review on request, in ms. After that time, no further page is evaluated. */
const CHECK_PATIENCE_MS = 15_000

/** A review evaluates no further pages while at least this many evaluations wait. */
const BUSY = 8

/**
 * Evaluates saved pages, and pages that include saved parts. Returns the problems found in time; stops early if the
 * renderer is busy.
 *
 * @throws RendererBusyError, and errors of the database
 */
export const reviewSaved = (
  core: Core,
  space: SpaceRef,
  saved: readonly SavedTemplate[],
): Promise<SavedReview> =>
  inTime(core, core.reviewPatience, async (found, isLate) => {
    for (const template of saved) {
      if (isLate()) return false
      if (template.kind === 'page') await reviewPage(core, space, template.id, found)
      else if (!(await reviewPart(core, space, template, found, isLate))) return false
    }
    return true
  })

/**
 * Evaluates an unsaved page, or the pages that include an unsaved part.
 *
 * @param partName the name of the part; omitted for a page
 * @throws RendererBusyError, and errors of the database
 */
export const reviewTemplate = (
  core: Core,
  space: SpaceRef,
  html: string,
  kind: 'scripted' | 'static',
  partName: string | undefined,
): Promise<SavedReview> =>
  inTime(core, CHECK_PATIENCE_MS, async (found, isLate) => {
    if (partName === undefined) {
      collect(found, '', await evaluateDraft(core, space, { slug: 'draft', kind, html }))
      return true
    }
    const names = [partName]
    const draft = { id: partName, names, html }
    return reviewPart(core, space, { kind: 'part', name: partName, names }, found, isLate, draft)
  })

/**
 * Runs a review with a timeout.
 *
 * @param patience in ms
 * @param review adds problems to `found`, and returns whether it checked everything
 */
const inTime = async (
  core: Core,
  patience: number,
  review: (found: SavedReview, isLate: () => boolean) => Promise<boolean>,
): Promise<SavedReview> => {
  const found: SavedReview = { broken: [], hints: [], links: [], removed: [], isComplete: false }
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), patience)
  const end = performance.now() + patience
  const isLate = () => performance.now() > end || core.renderer.load.waiting >= BUSY
  try {
    const isComplete = await Promise.race([review(found, isLate), timeout])
    // Return a copy, because the review may still add to `found` after the timeout.
    return {
      broken: [...found.broken],
      hints: unique(found.hints),
      links: unique(found.links),
      removed: unique(found.removed),
      isComplete,
    }
  } finally {
    clearTimeout(timer)
  }
}

const reviewPage = async (core: Core, space: SpaceRef, id: string, found: SavedReview) => {
  const page = await findPage(sqlOf(core.orm), space.id, id)
  if (page) collect(found, page.slug, await evaluateDraft(core, space, page))
}

/**
 * Reviews a part in the pages that include it, or alone if no page does.
 *
 * @param draft replaces the stored part
 * @returns whether all of the pages were evaluated
 */
const reviewPart = async (
  core: Core,
  space: SpaceRef,
  { name, names }: SavedTemplate & { kind: 'part' },
  found: SavedReview,
  isLate: () => boolean,
  draft?: DraftPart,
): Promise<boolean> => {
  const pages = await listPagesIncluding(sqlOf(core.orm), space.id, names, MAX_PAGES)
  const ofPart = ({ where }: PageReview['hints'][number]) => where.body === 'part' && where.name === name
  for (const page of pages) {
    if (isLate()) return false
    const outcome = await evaluateDraft(core, space, page, draft)
    if (!outcome.ok) collect(found, page.slug, outcome)
    else found.hints.push(...(outcome.review?.hints.filter(ofPart) ?? []))
  }
  if (pages.length > 0) return pages.length < MAX_PAGES
  const alone = { slug: 'index', kind: 'scripted' as const, html: `{% include '${name}' %}` }
  const outcome = await evaluateDraft(core, space, alone, draft)
  if (outcome.ok) found.hints.push(...(outcome.review?.hints.filter(ofPart) ?? []))
  else if (outcome.error.where.body === 'part') collect(found, '', outcome)
  return true
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
