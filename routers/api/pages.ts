import { z } from 'zod'
import type { PostCursor } from '../../db/queries/posts.ts'

// Lists return a page of rows and a cursor: the place after which the next page begins. A row that is added or deleted
// between two calls moves no other row to another page.

const POSITION = /^\d{1,18}$/
const TIME_CURSOR = /^(\d{1,14})-(\w{1,18})$/
const REFUSED = 'is not a cursor from an earlier response'

/**
 * Parses the cursor of a list by time, such as `1795228444402-17`.
 *
 * @param position the form of a position
 * @returns null for the start of the list, undefined for text that is not a cursor
 */
export const readCursor = (text: string | null, position = POSITION): PostCursor | null | undefined => {
  if (text === null) return null
  const [, at, found = ''] = TIME_CURSOR.exec(text) ?? []
  return at !== undefined && position.test(found) ? { at: new Date(Number(at)), position: found } : undefined
}

/** Returns the cursor for the rows that follow the given one. */
export const writeCursor = ({ at, position }: PostCursor): string => `${at.getTime()}-${position}`

/** The input field with the cursor of a list by time. Null or absent for the first page. */
export const timeCursor = (position = POSITION) =>
  z
    .string()
    .nullish()
    .transform((text, context) => {
      const cursor = readCursor(text ?? null, position)
      if (cursor !== undefined) return cursor
      context.addIssue({ code: 'custom', message: REFUSED })
      return z.NEVER
    })

/** The input field with the cursor of a list by position. */
export const positionCursor = z
  .string()
  .regex(POSITION, { error: REFUSED })
  .nullish()
  .transform(text => text ?? null)

/**
 * Returns the rows of a page, and the cursor of the next page or null.
 *
 * @param found the rows that were read: one more than a page has, if there are so many
 * @param cursorOf returns the cursor for the rows after the given one
 */
export const pageOf = <Row>(
  found: readonly Row[],
  size: number,
  cursorOf: (last: Row) => string,
): { rows: Row[]; next: string | null } => ({
  rows: found.slice(0, size),
  next: found.length > size ? cursorOf(found[size - 1]!) : null,
})

/** The cursor after a row with a position. */
export const byPosition = ({ position }: { position: string }): string => position

/** The cursor after a row with a position and the time at which it was created. */
export const byCreation = ({ created_at: at, position }: { created_at: Date; position: string }): string =>
  writeCursor({ at, position })
