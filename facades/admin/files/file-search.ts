import { line, oneOf, searchParams } from '../shell/search-params.ts'

/** The sort orders with their labels. The service returns the newest files first. */
export const ORDERS = {
  newest: 'Newest first',
  changed: 'Recently updated first',
  name: 'By name',
  size: 'Largest first',
} as const

/** Maximum length of the search term; file names cannot be longer. */
export const TERM_LENGTH = 255

/** Validates the view's search parameters: search text, order and layout. */
export const fileSearch = searchParams({
  q: line(TERM_LENGTH),
  sort: oneOf(['changed', 'name', 'size']),
  layout: oneOf(['grid']),
})

export type FileSearch = ReturnType<typeof fileSearch>
