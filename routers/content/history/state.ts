import type { Sql } from '../../../db/database.ts'
import type { ChangePlace } from '../../../db/queries/history.ts'
import { type ChangeKind, digestOfBody, findBody, readState } from '../../../db/queries/items.ts'
import { Problem } from '../../api/problem.ts'

/** An earlier or the current state of a page, part, record, file or setting, without its body. */
export interface State {
  /** Of a page. */
  slug?: string
  /** Of a part, a file, or the space. */
  name?: string
  /** Kind of a page. */
  kind?: 'scripted' | 'static'
  /** Description of a record. */
  description?: string | null
  /** Bytes of a record, file or icon. */
  size?: number
  /** SHA-256 of the body or bytes. */
  digest: Buffer | null
}

/** Builds a state from the columns of a change; null if the item did not exist. */
export const stateFrom = (fields: unknown, digest: Uint8Array | null): State | null =>
  fields === null ? null : { ...(fields as Omit<State, 'digest'>), digest: digest && Buffer.from(digest) }

/** The slug of a page, the key of a record, or the name of another item; null for an icon. */
export const nameOf = (
  { kind, thing }: { kind: ChangeKind; thing: string },
  fields: Pick<State, 'slug' | 'name'> | null,
): string | null => fields && (kind === 'record' ? thing : (fields.slug ?? fields.name ?? null))

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
    : a.slug === b.slug &&
      a.name === b.name &&
      a.kind === b.kind &&
      a.description === b.description &&
      (a.digest === null || b.digest === null ? a.digest === b.digest : a.digest.equals(b.digest))

/**
 * Reads the body that a page, part or record had before or after a change.
 *
 * @param digest the digest of this body
 * @throws `change_not_found` if the history has been trimmed in the meantime
 */
export const textOf = async (
  sql: Sql,
  spaceId: string,
  { kind, ...place }: ChangePlace & { kind: Exclude<ChangeKind, 'file' | 'space'> },
  side: 'before' | 'after',
  digest: Buffer,
): Promise<string> => {
  const text = await findBody(sql, spaceId, kind, place, side)
  if (text === undefined || !digestOfBody(text).equals(digest)) throw new Problem('change_not_found')
  return text
}
