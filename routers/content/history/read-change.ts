import type { Sql } from '../../../db/orm.ts'
import type { ChangeKind } from '../../../db/queries/changes.ts'
import { type ChangeRow, findChange } from '../../../db/queries/history.ts'
import type { SpaceRef } from '../../core/actor.ts'
import type { Core } from '../../core/context.ts'
import { Problem } from '../../core/problem.ts'
import { fileText } from './file-text.ts'
import { placeFrom, toState } from './schema.ts'
import { type State, stateFrom, textOf } from './state.ts'

/**
 * Reads a change that the caller can read.
 *
 * @throws `change_not_found`
 */
export const requireChange = async (
  sql: Sql,
  spaceId: string,
  id: string,
  kinds: readonly ChangeKind[],
): Promise<ChangeRow> => {
  const place = placeFrom(id)
  const row = place && (await findChange(sql, spaceId, place))
  if (!row || !kinds.includes(row.kind)) throw new Problem('change_not_found')
  return row
}

/** The state of an item before or after a change. */
export const sideOf = (row: ChangeRow, side: 'before' | 'after'): State | null =>
  side === 'before' ? stateFrom(row.before, row.before_digest) : stateFrom(row.after, row.after_digest)

const hasText = (kind: ChangeKind) => kind === 'page' || kind === 'part' || kind === 'record'

/** The fields of a call's context that are needed to read a state. */
interface Reader {
  core: Pick<Core, 'fileStore'>
  sql: Sql
  space: SpaceRef
}

/** Returns a state in the form that callers get. Reads the body unless `state` already has it. */
export const shownState = async (
  { core, sql, space }: Reader,
  row: ChangeRow,
  state: (State & { text?: string | null }) | null,
) => state && toState(row.kind, state, state.text ?? (await shownText({ core, sql, space }, row, state)))

const shownText = async ({ core, sql, space }: Reader, row: ChangeRow, { digest }: State) => {
  const spaceId = space.id
  if (!digest) return null
  if (row.kind === 'file') return fileText(sql, core.fileStore, spaceId, digest)
  return hasText(row.kind) ? textOf(sql, spaceId, row, digest) : null
}
