import type { Outputs } from '../api.ts'

export type Plan = Outputs['history']['previewUndo']
type Counted = Pick<Plan, 'counts'>
export type Outcome = Plan['counts'][number]['outcome']

const SKIPPED: ReadonlySet<Outcome> = new Set(['changed_since', 'name_taken'])

const sum = ({ counts }: Counted, isCounted: (outcome: Outcome) => boolean) =>
  counts.reduce((total, { outcome, count }) => (isCounted(outcome) ? total + count : total), 0)

/** Number of items that an undo changes. */
export const changedItems = (plan: Counted): number => sum(plan, outcome => !SKIPPED.has(outcome))

/** Number of items that an undo skips. */
export const skippedItems = (plan: Counted): number => sum(plan, outcome => SKIPPED.has(outcome))

const number = new Intl.NumberFormat('en')

/** Formats a number of items: "1 item", "1,200 items". */
export const itemsOf = (count: number): string => `${number.format(count)} ${count === 1 ? 'item' : 'items'}`

const NOUNS: Record<Plan['counts'][number]['kind'], [one: string, many: string]> = {
  page: ['page', 'pages'],
  part: ['part', 'parts'],
  record: ['record', 'records'],
  file: ['file', 'files'],
  space: ['setting', 'settings'],
}

/** Counts the items with an outcome, by kind: "2 pages, 1 record"; empty if there are none. */
export const describeCounts = ({ counts }: Counted, outcome: Outcome): string =>
  counts
    .filter(counted => counted.outcome === outcome)
    .map(({ kind, count }) => `${number.format(count)} ${NOUNS[kind][count === 1 ? 0 : 1]}`)
    .join(', ')
