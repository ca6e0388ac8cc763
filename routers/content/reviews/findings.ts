import type { PageReview, RenderOutcome, TemplateError } from '../../api/renderer.ts'
import type { RemainingUses } from './remaining-uses.ts'

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
  /** Files that have the same name: their ids, in the order in which templates find them. */
  sameNames: { name: string; saved: string; ids: string[] }[]
  /** What was not checked, such as `the page “about”`: there was too much of it, or the service was too busy. */
  unchecked: string[]
}

/** A review in progress. */
export interface Findings extends Omit<SavedReview, 'unchecked'> {
  /** What is still to be checked. */
  waiting: Set<string>
}

export const newFindings = (): Findings => ({
  broken: [],
  hints: [],
  links: [],
  removed: [],
  textRecords: [],
  uses: [],
  sameNames: [],
  waiting: new Set(),
})

/** Returns a copy of the findings so far. A finding can be made several times, for several items. */
export const summary = ({ waiting, ...found }: Findings): SavedReview => ({
  broken: unique(found.broken),
  hints: unique(found.hints),
  links: unique(found.links),
  removed: unique(found.removed),
  textRecords: [...found.textRecords],
  uses: [...found.uses],
  sameNames: [...found.sameNames],
  unchecked: [...waiting],
})

export const hintsIn = (outcome: RenderOutcome) => (outcome.ok ? outcome.review?.hints : outcome.hints) ?? []

/** Adds what the evaluation of a page has found. */
export const collect = (found: Findings, slug: string, outcome: RenderOutcome): void => {
  found.hints.push(...hintsIn(outcome).map(hint => ({ ...hint, slug })))
  if (!outcome.ok) return void found.broken.push({ slug, error: outcome.error })
  const { links = [], removed = [] } = outcome.review ?? {}
  found.links.push(...links.map(link => ({ ...link, slug })))
  found.removed.push(...removed.map(removal => ({ ...removal, slug })))
}

/** Whether `others` contain the same finding, regardless of its page, count and origin. */
export const isAmong = <Finding extends { slug: string; count: number }>(
  finding: Finding,
  others: readonly Finding[],
): boolean => {
  const text = (one: Finding) => JSON.stringify({ ...one, slug: '', count: 0, where: null, line: null })
  return others.some(other => text(other) === text(finding))
}

const unique = <Item>(items: readonly Item[]): Item[] => [
  ...new Map(items.map(item => [JSON.stringify(item), item])).values(),
]
