import type { Sql } from '../../../db/orm.ts'
import { type ChangeKind, readState } from '../../../db/queries/changes.ts'
import { findBody } from '../../../db/queries/history.ts'
import { Problem } from '../../core/problem.ts'

/** An earlier or the current state of a page, part, record, file or setting, without its body. */
export interface State {
  name?: string
  /** Kind of a page. */
  kind?: 'scripted' | 'static'
  includes?: string[]
  /** Description of a record. */
  description?: string | null
  version?: number
  /** Size of a file or icon, in bytes. */
  size?: number
  uploaded_by?: string | null
  created_at?: string
  /** SHA-256 of the body or bytes. */
  digest: Buffer | null
}

/** Builds a state from the columns of a change; null if the item did not exist. */
export const stateFrom = (fields: unknown, digest: Uint8Array | null): State | null =>
  fields === null ? null : { ...(fields as Omit<State, 'digest'>), digest: digest && Buffer.from(digest) }

/** Reads the current state of an item, with its body; null if there is no such item. */
export const currentState = async (
  sql: Sql,
  spaceId: string,
  { kind, thing }: { kind: ChangeKind; thing: string },
): Promise<(State & { text: string | null }) | null> => {
  const row = await readState(sql, spaceId, kind, thing)
  return row ? { ...stateFrom(row.fields, row.digest)!, text: row.text } : null
}

/** Whether two states of an item have the same name, kind, description and content. */
export const isSameState = (a: State | null, b: State | null): boolean =>
  a === null || b === null
    ? a === b
    : a.name === b.name &&
      a.kind === b.kind &&
      a.description === b.description &&
      (a.digest === null || b.digest === null ? a.digest === b.digest : a.digest.equals(b.digest))

/**
 * Reads a current or earlier body of a page, part or record. The history stores only the earlier bodies. If the body is
 * not in the history, it is read from the item. If the item no longer has the body, a concurrent write has moved it to
 * the history, so the history is searched a second time.
 *
 * @param digest identifies the body
 * @throws `change_not_found` if the history has been trimmed in the meantime
 */
export const textOf = async (
  sql: Sql,
  spaceId: string,
  thing: { kind: ChangeKind; thing: string },
  digest: Buffer,
): Promise<string> => {
  const earlier = await findBody(sql, spaceId, digest)
  if (earlier) return earlier.text
  const current = await currentState(sql, spaceId, thing)
  if (current?.digest?.equals(digest) && current.text !== null) return current.text
  const moved = await findBody(sql, spaceId, digest)
  if (!moved) throw new Problem('change_not_found')
  return moved.text
}
