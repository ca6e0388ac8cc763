import type { PostCursor } from '../../../db/queries/posts.ts'

/** `1795228444402-17`: the moment and the place in it of the last post that was shown. */
const CURSOR = /^(\d{1,14})-(\d{1,18})$/

/** Where a list of posts goes on; null at its beginning, undefined for a text that leads nowhere. */
export const readCursor = (text: string | null): PostCursor | null | undefined => {
  if (text === null) return null
  const match = CURSOR.exec(text)
  return match ? { at: new Date(Number(match[1])), position: match[2]! } : undefined
}

/** What leads to the posts behind this one. */
export const writeCursor = ({ at, position }: PostCursor): string => `${at.getTime()}-${position}`
