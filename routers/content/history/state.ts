import { isDeepStrictEqual } from 'node:util'
import type { Sql } from '../../../db/database.ts'
import type { ChangePlace } from '../../../db/queries/history.ts'
import { NOT_COMPARED } from '../../../db/queries/item-rows.ts'
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

/** Columns that follow from others, or that say nothing about the content. */
const notCompared: ReadonlySet<string> = new Set([...NOT_COMPARED, 'text'])

const compared = (state: State | null) =>
  state && Object.entries(state).filter(([name]) => !notCompared.has(name))

/** Whether two states of an item have the same content: all that a person or program has set. */
export const isSameState = (a: State | null, b: State | null): boolean =>
  isDeepStrictEqual(new Map(compared(a)), new Map(compared(b)))

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
