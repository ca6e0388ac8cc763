import type { Request } from 'express'

/**
 * Returns a list's cursor from the query, or null for the first page. A repeated parameter becomes an invalid cursor.
 */
export const cursorOf = ({ query: { before } }: Request): string | null => {
  if (before === undefined) return null
  return typeof before === 'string' ? before : ''
}
