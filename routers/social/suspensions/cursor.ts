import { ID_PATTERN } from '../../../db/id.ts'
import type { PostCursor } from '../../../db/queries/posts.ts'

/** Converts the time and the id of the last account of a page to a cursor. */
export const writeAccountCursor = ({ at, position }: PostCursor): string => `${at.getTime()}-${position}`

/** Parses a cursor. @returns null if none is given, undefined if it is malformed */
export const readAccountCursor = (cursor: string | null): PostCursor | null | undefined => {
  if (cursor === null) return null
  const [, at, position] = /^(\d{1,15})-(\w+)$/.exec(cursor) ?? []
  if (at === undefined || position === undefined || !ID_PATTERN.test(position)) return undefined
  return { at: new Date(Number(at)), position }
}
