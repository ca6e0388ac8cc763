import type { Sql } from '../../../db/orm.ts'
import type { ChangeKind } from '../../../db/queries/changes.ts'
import { type ChangeFilter, listTouched, type Touched } from '../../../db/queries/history.ts'
import { listPages } from '../../../db/queries/pages.ts'
import { listPartEdges } from '../../../db/queries/parts.ts'
import { Problem } from '../../core/problem.ts'
import type { Target } from './apply.ts'
import { currentState, isSameState, type State, stateFrom } from './state.ts'

/** Maximum number of items that one undo changes. */
const MAX_THINGS = 500

/** What an undo would do to an item: delete it, recreate it, or restore its earlier state. */
export interface Step extends Target {
  name: string | null
  effect: 'delete' | 'bring_back' | 'change'
}

/** An item that an undo does not change, and why. */
export interface Skipped {
  kind: ChangeKind
  thing: string
  name: string | null
  reason: 'changed_since' | 'name_taken'
  /** The last change by another caller. */
  later: Touched['later']
}

/**
 * Plans the undo of the selected changes: each item gets the state that it had before the first of its selected
 * changes. Items that others have changed since are skipped, as are items whose earlier name now belongs to another
 * item. The steps are ordered so that each name is free when a step needs it.
 *
 * @param sql under the space's lock if the plan is applied; any connection if it is only shown
 * @throws `limit_reached` when the changes touch too many items
 */
export const planUndo = async (
  sql: Sql,
  spaceId: string,
  filter: ChangeFilter,
): Promise<{ steps: Step[]; skipped: Skipped[] }> => {
  const touched = await listTouched(sql, spaceId, filter, MAX_THINGS + 1)
  if (touched.length > MAX_THINGS)
    throw new Problem('limit_reached', {
      detail: `These changes touch more than ${MAX_THINGS} items. ${
        filter.operation === undefined ? 'Choose a later time.' : 'Restore single items from their history.'
      }`,
    })
  const wanted: (Step & { current: State | null })[] = []
  const skipped: Skipped[] = []
  for (const { kind, thing, name, before, before_digest, later } of touched) {
    const state = stateFrom(before, before_digest)
    const current = await currentState(sql, spaceId, { kind, thing })
    if (isSameState(current, state)) continue
    if (later) skipped.push({ kind, thing, name, reason: 'changed_since', later })
    else
      wanted.push({
        kind,
        thing,
        name,
        state,
        current,
        effect: state === null ? 'delete' : current === null ? 'bring_back' : 'change',
      })
  }
  const { steps, blocked } = inOrder(wanted, await namesOf(sql, spaceId))
  for (const { kind, thing, name } of blocked)
    skipped.push({ kind, thing, name, reason: 'name_taken', later: null })
  return { steps, skipped }
}

/** Returns the ids of pages and parts by kind and name. Other items have no unique name besides their id. */
const namesOf = async (sql: Sql, spaceId: string): Promise<Map<string, string>> => {
  const [pages, parts] = await Promise.all([listPages(sql, spaceId), listPartEdges(sql, spaceId)])
  return new Map([
    ...pages.map(({ id, slug }) => [`page ${slug}`, id] as const),
    ...parts.map(({ id, name }) => [`part ${name}`, id] as const),
  ])
}

/** Orders steps so that each name is free when its step runs. Steps whose name never becomes free are blocked. */
const inOrder = (wanted: (Step & { current: State | null })[], names: Map<string, string>) => {
  const steps: Step[] = []
  let blocked = wanted
  for (let isProgress = true; isProgress; ) {
    isProgress = false
    const waiting: typeof wanted = []
    for (const { current, ...step } of blocked) {
      const owner = step.state && names.get(`${step.kind} ${step.state.name}`)
      if (owner && owner !== step.thing) {
        waiting.push({ ...step, current })
        continue
      }
      if (current) names.delete(`${step.kind} ${current.name}`)
      if (step.state) names.set(`${step.kind} ${step.state.name}`, step.thing)
      steps.push(step)
      isProgress = true
    }
    blocked = waiting
  }
  return { steps, blocked }
}
