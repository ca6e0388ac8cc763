import type { PostCursor } from '../../../db/queries/posts.ts'

/** The time and the position of the last post on a page, such as `1795228444402-17`. */
const CURSOR = /^(\d{1,14})-(\d{1,18})$/

/**
 * Parses a cursor.
 *
 * @returns null for the start of the list, undefined for text that is not a cursor
 */
export const readCursor = (text: string | null): PostCursor | null | undefined => {
  if (text === null) return null
  const match = CURSOR.exec(text)
  return match ? { at: new Date(Number(match[1])), position: match[2]! } : undefined
}

/** Returns the cursor for the posts that follow the given one. */
export const writeCursor = ({ at, position }: PostCursor): string => `${at.getTime()}-${position}`
