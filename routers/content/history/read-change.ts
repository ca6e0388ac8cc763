import type { Sql } from '../../../db/database.ts'
import { bytesOf } from '../../../db/file-store/content.ts'
import type { FileStore } from '../../../db/file-store/file-store.ts'
import { type ChangeRow, findChange, findPicture } from '../../../db/queries/history.ts'
import type { ChangeKind } from '../../../db/queries/items.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { Problem } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { placeFrom, toState } from './schema.ts'
import { currentState, type State, stateFrom, textOf } from './state.ts'

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

/** Returns the state before or after a change in the form that callers get, with the body; null if there is none. */
export const shownSide = async (reader: SpaceCall, row: ChangeRow, side: 'before' | 'after') => {
  const state = sideOf(row, side)
  return state && toState(row, state, await textOfSide(reader, row, side, state))
}

/** Returns the current state of the item of a change in the form that callers get, with the body. */
export const shownCurrent = async (reader: SpaceCall, row: ChangeRow) => {
  const state = await currentState(reader.sql, reader.space.id, row)
  return state && toState(row, state, state.text ?? (await textOfFile(reader, row, state)))
}

const textOfSide = async (reader: SpaceCall, row: ChangeRow, side: 'before' | 'after', state: State) => {
  const { kind } = row
  if (kind === 'file' || kind === 'space' || !state.digest) return textOfFile(reader, row, state)
  return textOf(reader.sql, reader.space.id, { ...row, kind }, side, state.digest)
}

const textOfFile = async ({ core, sql, space }: SpaceCall, { kind }: ChangeRow, { digest }: State) =>
  kind === 'file' && digest ? fileText(sql, core.fileStore, space.id, digest) : null

/**
 * Returns the current or an earlier text of a file; null if the content is not stored, is larger than the limit, is not
 * UTF-8, or contains a null character.
 */
export const fileText = async (
  sql: Sql,
  fileStore: FileStore | null,
  spaceId: string,
  digest: Buffer,
): Promise<string | null> => {
  const found = await findPicture(sql, spaceId, digest, limits.historyText)
  if (!found) return null
  const bytes = await bytesOf(fileStore, spaceId, digest, found)
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
