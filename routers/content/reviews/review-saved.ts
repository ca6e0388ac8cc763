import { sqlOf } from '../../../db/orm.ts'
import { listPagesIncluding } from '../../../db/queries/including-pages.ts'
import { findPage } from '../../../db/queries/pages.ts'
import type { SpaceRef } from '../../core/actor.ts'
import type { Core, SavedItem } from '../../core/context.ts'
import type { PageReview, RenderOutcome, TemplateError } from '../../core/renderer.ts'
import { type DraftPart, evaluateDraft } from '../previews/evaluate-draft.ts'
import { type RemainingUses, remainingUses } from './remaining-uses.ts'

/** A finding about a page; `slug` is empty if a part was evaluated alone. */
type OnPage<Finding> = Finding & { slug: string }

/** The problems found in the items that were saved or deleted. */
export interface SavedReview {
  /** Pages that show an error instead of their content. */
  broken: { slug: string; error: TemplateError }[]
  hints: OnPage<PageReview['hints'][number]>[]
  links: OnPage<PageReview['links'][number]>[]
  removed: OnPage<PageReview['removed'][number]>[]
  /** Keys of records whose value is a string that contains a list or an object as JSON. */
  textRecords: string[]
  /** The items that still refer to deleted items. */
  uses: RemainingUses[]
  /** Whether everything was evaluated in time. */
  isComplete: boolean
}

/** Maximum number of pages that are evaluated because they include a saved part. */
const MAX_PAGES = 10

/** How long the tool `check_template` waits for its review, in ms. After that time, no further page is evaluated. */
const CHECK_PATIENCE_MS = 15_000

/** A review stops early if at least this many evaluations are waiting. */
const BUSY = 8

/**
 * Evaluates saved pages and pages that include saved parts, checks saved records, and finds items that still refer to
 * deleted ones. Returns the problems found in time; stops early if the renderer is busy.
 *
 * @throws RendererBusyError, and errors of the database
 */
export const reviewSaved = (core: Core, space: SpaceRef, saved: readonly SavedItem[]): Promise<SavedReview> =>
  inTime(core, core.reviewPatience, async (found, isLate) => {
    for (const item of saved) {
      if (item.kind === 'record') {
        if (isJsonText(item.value)) found.textRecords.push(item.key)
        continue
      }
      if (item.kind === 'deleted') {
        const uses = await remainingUses(sqlOf(core.orm), space.id, item)
        if (uses.by.length > 0) found.uses.push(uses)
        continue
      }
      if (isLate()) return false
      if (item.kind === 'page') await reviewPage(core, space, item.id, found)
      else if (!(await reviewPart(core, space, item, found, isLate))) return false
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
  const found = newFindings()
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
      textRecords: [...found.textRecords],
      uses: [...found.uses],
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
 * Reviews a part in the pages that include it, or alone if no page does. Does not report problems in the pages
 * themselves.
 *
 * @param draft replaces the stored part
 * @returns whether all of the pages were evaluated
 */
const reviewPart = async (
  core: Core,
  space: SpaceRef,
  { name, names }: SavedItem & { kind: 'part' },
  found: SavedReview,
  isLate: () => boolean,
  draft?: DraftPart,
): Promise<boolean> => {
  const pages = await listPagesIncluding(sqlOf(core.orm), space.id, names, MAX_PAGES)
  const inPages = newFindings()
  for (const page of pages) {
    if (isLate()) return false
    const outcome = await evaluateDraft(core, space, page, draft)
    collect(inPages, page.slug, outcome)
    if (!outcome.ok) found.broken.push({ slug: page.slug, error: outcome.error })
  }
  // A hint in the part itself is the same on every page, so report this hint without a page. If the part is used as a
  // layout, another hint can say that a body does not fit this layout. Report that hint with the page.
  const isOwn = ({ where }: PageReview['hints'][number]) => where.body === 'part' && where.name === name
  for (const hint of inPages.hints) {
    if (isOwn(hint)) found.hints.push({ ...hint, slug: '' })
    else if (hint.layout === name) found.hints.push(hint)
  }
  const kind = pages.some(page => page.kind === 'static') ? 'static' : 'scripted'
  const alone = { slug: 'index', kind, html: `{% include '${name}' %}` } as const
  const outcome = await evaluateDraft(core, space, alone, draft)
  if (pages.length > 0) {
    // Findings about links and markup have no position, so they do not show whether they come from the part. Assume
    // that a finding on a page comes from the part if it also appears when the part is evaluated alone.
    const own = newFindings()
    collect(own, '', outcome)
    found.links.push(...own.links.filter(link => isAmong(link, inPages.links)))
    found.removed.push(...own.removed.filter(removal => isAmong(removal, inPages.removed)))
    return pages.length < MAX_PAGES
  }
  if (!outcome.ok && outcome.error.where.body === 'part')
    found.broken.push({ slug: '', error: outcome.error })
  found.hints.push(
    ...hintsIn(outcome)
      .filter(isOwn)
      .map(hint => ({ ...hint, slug: '' })),
  )
  return true
}

/** Whether a value is a string that contains a list or an object as JSON. A template reads it as plain text. */
const isJsonText = (value: unknown): boolean => {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return false
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

const newFindings = (): SavedReview => ({
  broken: [],
  hints: [],
  links: [],
  removed: [],
  textRecords: [],
  uses: [],
  isComplete: false,
})

const hintsIn = (outcome: RenderOutcome) => (outcome.ok ? outcome.review?.hints : outcome.hints) ?? []

const collect = (found: SavedReview, slug: string, outcome: RenderOutcome) => {
  found.hints.push(...hintsIn(outcome).map(hint => ({ ...hint, slug })))
  if (!outcome.ok) return void found.broken.push({ slug, error: outcome.error })
  const { links = [], removed = [] } = outcome.review ?? {}
  found.links.push(...links.map(link => ({ ...link, slug })))
  found.removed.push(...removed.map(removal => ({ ...removal, slug })))
}

/** Whether `others` contain the same finding, regardless of its page and count. */
const isAmong = <Finding extends { slug: string; count: number }>(
  finding: Finding,
  others: readonly Finding[],
): boolean => {
  const text = (one: Finding) => JSON.stringify({ ...one, slug: '', count: 0 })
  return others.some(other => text(other) === text(finding))
}

const unique = <Item>(items: readonly Item[]): Item[] => [
  ...new Map(items.map(item => [JSON.stringify(item), item])).values(),
]
