import type { Sql } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { findData } from '../../../db/queries/data.ts'
import { findFile } from '../../../db/queries/files.ts'
import type { ChangeRow } from '../../../db/queries/history.ts'
import type { ChangeKind } from '../../../db/queries/items.ts'
import { findPage } from '../../../db/queries/pages.ts'
import { findPart } from '../../../db/queries/parts.ts'
import { recordEvent } from '../../api/audit.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { requireRead } from '../../api/precondition.ts'
import { invalid } from '../../api/problem.ts'
import { checkLimits } from '../limits.ts'
import { explainTakenName, explainTakenSlug } from '../name-conflicts.ts'
import { slug } from '../pages/schema.ts'
import { name as partName } from '../parts/schema.ts'
import { applyTarget, type Target } from './apply.ts'
import { readableKinds, requireWritable } from './kinds.ts'
import { requireChange, sideOf } from './read-change.ts'
import { currentState, isSameState, nameOf, type State } from './state.ts'

interface Restore {
  change_id: string
  side: 'before' | 'after'
  name?: string | undefined
  only_if_deleted: boolean
  updated_at?: string | null | undefined
}

/**
 * Restores an item to its state before the given change, or to its state after the change.
 *
 * @returns the id of the operation; null if nothing changed
 * @throws `change_not_found`, `insufficient_scope`, `owners_only`, `version_conflict`, and the errors of writing the item
 */
export const restore = async (ctx: SpaceCall, input: Restore): Promise<string | null> => {
  const { space, core } = ctx
  const row = await requireChange(ctx.sql, space.id, input.change_id, readableKinds(ctx))
  requireWritable(ctx, [row.kind])
  const state = named(row.kind, sideOf(row, input.side), input.name)
  const target: Target = { change: row, side: input.side, state }
  const operation = { cause: 'restore', id: newId() } as const
  const restoring = ctx.write(async write => {
    // Read the change again under the lock, because old changes are deleted in the background.
    await requireChange(write.sql, space.id, input.change_id, [row.kind])
    const current = await currentState(write.sql, space.id, row)
    if (input.updated_at !== undefined)
      requireRead(
        input.updated_at,
        await versionOf(write.sql, space.id, row),
        `The ${row.kind} “${nameOf(row, current ?? state) ?? row.thing}”`,
      )
    if (isSameState(current, state) || (input.only_if_deleted && current !== null)) return false
    if (row.kind === 'space') await ctx.checkOwner(write.sql)
    await applyTarget(write, target, current !== null)
    const effect = state === null ? 'delete' : current === null ? 'add' : 'change'
    await checkLimits(write, core.creationLimits, [{ kind: row.kind, thing: row.thing, effect }])
    await recordEvent(write.sql, { spaceId: space.id }, 'restored', ctx.caller, {
      cause: 'restore',
      item: { kind: row.kind, name: row.kind === 'space' ? row.thing : nameOf(row, state ?? current)! },
    })
    return true
  }, operation)
  const name = state ? (nameOf(row, state) ?? '') : ''
  const isDone = await restoring
    .catch(error => explainTakenSlug(ctx, name, error))
    .catch(error => explainTakenName(ctx, name, error))
  return isDone ? operation.id : null
}

/** The current version of an item; undefined if there is none. */
const versionOf = (
  sql: Sql,
  spaceId: string,
  { kind, thing }: ChangeRow,
): Promise<{ updated_at: Date } | undefined> => {
  if (kind === 'page') return findPage(sql, spaceId, thing)
  if (kind === 'part') return findPart(sql, spaceId, thing)
  if (kind === 'file') return findFile(sql, spaceId, thing)
  if (kind === 'record') return findData(sql, spaceId, thing)
  throw invalid('updated_at', 'cannot be compared for settings of the space')
}

/**
 * Replaces the name of a page or part in a state.
 *
 * @throws `validation_failed` for any other kind
 */
const named = (kind: ChangeKind, state: State | null, name: string | undefined): State | null => {
  if (name === undefined || state === null) return state
  const rule = kind === 'page' ? slug : kind === 'part' ? partName : null
  if (!rule) throw invalid('name', 'can only be chosen for pages and parts')
  const result = rule.safeParse(name)
  if (!result.success) throw invalid('name', result.error.issues[0]!.message)
  return { ...state, [kind === 'page' ? 'slug' : 'name']: result.data }
}
