import { z } from 'zod'
import { subdomain, text, timestamp } from '../../api/fields.ts'
import { instant, kind, shownLabel } from './schema.ts'
import type { Outcome, Planned, UndoPlan } from './undo.ts'

/** Maximum number of items that one response lists. */
export const UNDO_PAGE = 500

/**
 * Selects the changes to undo: all changes of one operation, or the changes of one actor from `since` until `until`,
 * which is optional.
 */
export const Selection = z
  .strictObject({
    subdomain,
    operation: text({ max: 30 })
      .optional()
      .meta({ description: 'The operation of a change in list_changes' }),
    actor: text({ max: 30 })
      .optional()
      .meta({ description: 'Instead of operation: the actor.id of a change in list_changes' }),
    since: instant.optional().meta({ description: 'With actor: undo the changes at or after this time' }),
    until: instant.optional().meta({ description: 'With actor: undo the changes before this time' }),
  })
  .refine(
    ({ operation, actor, since, until }) =>
      operation === undefined
        ? actor !== undefined && since !== undefined
        : actor === undefined && since === undefined && until === undefined,
    { error: 'must have either operation, or both actor and since' },
  )

const OUTCOMES = [
  'delete',
  'bring_back',
  'change',
  'changed_since',
  'name_taken',
] as const satisfies Outcome[]

const item = {
  kind,
  thing: z.string(),
  /** The item's current name. If the item does not exist now, its earlier name. */
  name: z.string().nullable(),
}

const shown = ({
  kind,
  thing,
  current_name,
  earlier_name,
}: Pick<Planned, 'kind' | 'thing' | 'current_name' | 'earlier_name'>) => ({
  kind,
  thing,
  name: current_name ?? earlier_name,
})

/** What an undo does, or would do. */
export const Plan = z.object({
  /** Identifies everything that the undo does, so that a call to `undo` can require exactly that. */
  plan: z.string(),
  /** Number of items by kind and outcome: deleted, brought back, changed, or skipped for one of the reasons. */
  counts: z.array(z.object({ kind, outcome: z.enum(OUTCOMES), count: z.int() })),
  /** The changed items on this page of the plan. */
  steps: z.array(
    z.object({
      ...item,
      effect: z.enum(['delete', 'bring_back', 'change']),
      /**
       * Whether some versions after the selected time are no longer kept. If so, the item gets the oldest
       * version that is still kept.
       */
      trimmed: z.boolean(),
    }),
  ),
  /** The skipped items on this page of the plan. */
  skipped: z.array(
    z.object({
      ...item,
      reason: z.enum(['changed_since', 'name_taken']),
      later: z
        .object({
          at: timestamp,
          actor_kind: z.enum(['space_key', 'user_token', 'session']),
          actor_label: z.string().nullable(),
          handle: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
  /** Cursor of the next page of items; null on the last one. */
  next: z.string().nullable(),
})

const toLater = (later: NonNullable<Planned['later']>) => ({
  ...later,
  at: later.at.toISOString(),
  actor_label: shownLabel(later),
})

/** Returns one page of the items of a plan, and the counts of the items in the whole plan. */
export const toPlan = (
  { id, items }: UndoPlan,
  { cursor = '', limit = UNDO_PAGE }: { cursor?: string | undefined; limit?: number | undefined },
): z.output<typeof Plan> => {
  const keyOf = (item: { kind: string; thing: string }) => `${item.kind} ${item.thing}`
  const rest = items.filter(item => keyOf(item) > cursor)
  const page = rest.slice(0, limit)
  const counts = Map.groupBy(items, ({ kind, outcome }) => `${kind} ${outcome}`)
  return {
    plan: id,
    counts: [...counts.values()].map(group => ({
      kind: group[0]!.kind,
      outcome: group[0]!.outcome,
      count: group.length,
    })),
    steps: page.flatMap(({ effect, outcome, trimmed, ...item }) =>
      outcome === effect ? { ...shown(item), effect, trimmed } : [],
    ),
    skipped: page.flatMap(({ outcome, later, ...item }) =>
      outcome === 'changed_since' || outcome === 'name_taken'
        ? { ...shown(item), reason: outcome, later: later && toLater(later) }
        : [],
    ),
    next: rest.length > limit ? keyOf(page.at(-1)!) : null,
  }
}
