import { ID_PATTERN } from '../../../db/id.ts'
import type { SuspendedCursor } from '../../../db/queries/suspensions.ts'

/** Converts the time and the id of the last account of a page to a cursor. */
export const writeAccountCursor = ({ at, id }: SuspendedCursor): string => `${at.getTime()}-${id}`

/** Parses a cursor. @returns null if none is given, undefined if it is malformed */
export const readAccountCursor = (cursor: string | null): SuspendedCursor | null | undefined => {
  if (cursor === null) return null
  const [, at, id] = /^(\d{1,15})-(\w+)$/.exec(cursor) ?? []
  if (at === undefined || id === undefined || !ID_PATTERN.test(id)) return undefined
  return { at: new Date(Number(at)), id }
}
