import { createHash } from 'node:crypto'
import type { Sql } from '../../../db/database.ts'
import { type ChangeFilter, findChange } from '../../../db/queries/history.ts'
import { ChangesGoneError, undoItems } from '../../../db/queries/many-items.ts'
import { listTouched, type Touched } from '../../../db/queries/undo-plan.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { Problem } from '../../api/problem.ts'
import { type CreationLimits, rules } from '../../api/rules.ts'
import { contentTypeOf } from '../files/content-type.ts'
import { applyTarget } from './apply.ts'
import { stateFrom } from './state.ts'

/** What an undo does to an item, or why it skips the item. */
export type Outcome = Touched['effect'] | 'changed_since' | 'name_taken'

/** An item that the selected changes touched, and what the undo does to it. */
export interface Planned extends Touched {
  outcome: Outcome
}

/** What an undo would do. */
export interface UndoPlan {
  /** Identifies the selected changes, the current versions of the items, and what would be done to them. */
  id: string
  /** Sorted by kind and id. */
  items: Planned[]
}

/**
 * The maximum number of items that one import can change: it can delete every item of a full space, and add as
 * many new items.
 */
const mostItems = ({ pages, parts, files }: CreationLimits): number =>
  2 * (pages + parts + files + rules.data.max_records)

/**
 * Plans the undo of the selected changes. The undo gives each item the state from before the first selected change of
 * that item. The undo skips an item in two cases:
 *
 * - The undo would discard later changes that are not selected. Changes that were already reverted do not count.
 * - The item cannot get its earlier name back, because another item has that name after the undo.
 *
 * @param sql any connection for a preview. To apply the plan, use a connection that holds the space's lock.
 * @throws `limit_reached` when the selected changes touch too many items
 */
export const planUndo = async (
  sql: Sql,
  spaceId: string,
  filter: ChangeFilter,
  limits: CreationLimits,
): Promise<UndoPlan> => {
  const max = mostItems(limits)
  const touched = await listTouched(sql, spaceId, filter, max + 1)
  if (touched.length > max)
    throw new Problem('limit_reached', {
      detail: `These changes touch more than ${max} items. ${
        filter.operation === undefined ? 'Choose a later time.' : 'Restore single items from their history.'
      }`,
    })
  const blocked = blockedIn(touched.filter(({ later }) => later === null))
  const items = touched.map(item => ({
    ...item,
    outcome: outcomeOf(item, blocked),
  })) satisfies Planned[]
  return { id: digestOf(items), items }
}

const outcomeOf = (item: Touched, blocked: ReadonlySet<Touched>): Outcome => {
  if (item.later) return 'changed_since'
  return blocked.has(item) ? 'name_taken' : item.effect
}

const digestOf = (items: readonly Planned[]): string => {
  const digest = createHash('sha256')
  for (const { kind, thing, revision, newest, outcome } of items)
    digest.update(`${kind} ${thing} ${revision} ${newest} ${outcome}\n`)
  return digest.digest('base64url')
}

/**
 * Finds the pages and parts that cannot get their earlier names back, because other items keep these names.
 *
 * Item A may have to wait for item B, because B now has the earlier name of A. B may have to wait for a third item, and
 * so on. This function follows each such path to its end:
 *
 * - If the last item on the path waits for no other item, all items on the path get their earlier names back.
 * - If the path ends in a ring, where each item waits for the next, only the items in the ring get their names back.
 * - If the last item waits for an item that keeps its name, no item on the path gets its name back.
 * - If several items have the same earlier name, only one of them gets it.
 */
const blockedIn = (items: readonly Touched[]): Set<Touched> => {
  const key = ({ kind }: Touched, idOrName: string | null) => `${kind} ${idOrName}`
  const named = items.filter(({ kind }) => kind === 'page' || kind === 'part')
  const byId = new Map(named.map(item => [key(item, item.thing), item]))
  const seen = new Set<Touched>()
  const blocked = new Set<Touched>()
  const given = new Set<string>()
  for (const start of named) {
    const path: Touched[] = []
    let next: Touched | undefined = start
    let isKept = false
    while (next && !seen.has(next)) {
      seen.add(next)
      path.push(next)
      const owner: string | null = next.effect === 'delete' ? null : next.owner
      next = owner === null ? undefined : byId.get(key(next, owner))
      isKept = owner !== null && (next === undefined || blocked.has(next))
    }
    // If the path ends in a ring, block all items before the ring. Example: Z waits for A, A waits for B, and B and C
    // wait for each other. Both A and C need the name of B. C gets this name, so A keeps its current name. Z needs the
    // name of A, so Z keeps its current name too.
    const ringStart = next ? path.indexOf(next) : -1
    for (const item of path.splice(0, Math.max(ringStart, 0))) blocked.add(item)
    const last = path.at(-1)
    const isTaken = isKept || (last && last.effect !== 'delete' && given.has(key(last, last.earlier_name)))
    for (const item of path)
      if (isTaken) blocked.add(item)
      else if (item.effect !== 'delete') given.add(key(item, item.earlier_name))
  }
  return blocked
}

/** The items of a plan that the undo changes. */
export const stepsOf = ({ items }: UndoPlan): Planned[] =>
  items.filter(({ outcome, effect }) => outcome === effect)

const GONE = 'Some of these changes were just deleted from the history. Nothing was written. Try again.'

/**
 * Undoes changes as planned, with few statements. Limits are checked afterwards.
 *
 * @param write a write in the same transaction in which the plan was made
 * @throws `space_changed` if some of the changes were deleted from the history meanwhile
 */
export const applyUndo = async (write: SpaceWrite, steps: readonly Planned[]): Promise<void> => {
  for (const kind of ['page', 'part', 'record', 'file'] as const) {
    const items = steps
      .filter(step => step.kind === kind)
      .map(step => ({
        ...step,
        content_type: kind === 'file' ? contentTypeOf(step.earlier_name ?? '') : null,
      }))
    if (items.length > 0)
      await undoItems(write, kind, items).catch(error => {
        if (error instanceof ChangesGoneError) throw new Problem('space_changed', { detail: GONE })
        throw error
      })
  }
  for (const step of steps.filter(({ kind }) => kind === 'space')) {
    const change = (await findChange(write.sql, write.spaceId, step))!
    const state = stateFrom(change.before, change.before_digest)
    await applyTarget(write, { change, side: 'before', state }, step.effect !== 'bring_back')
  }
}
