/** The sort orders with their labels. The service returns the newest files first. */
export const ORDERS = {
  newest: 'Newest first',
  changed: 'Recently updated first',
  name: 'By name',
  size: 'Largest first',
} as const

export type FileOrder = keyof typeof ORDERS

export interface FileSearch {
  q?: string
  sort?: FileOrder
  layout?: 'grid'
}

/** Validates the view's search parameters: search text, order and layout. */
export const fileSearch = ({ q, sort, layout }: Record<string, unknown>): FileSearch => ({
  ...(typeof q === 'string' && q !== '' ? { q } : {}),
  ...(typeof sort === 'string' && sort !== 'newest' && Object.hasOwn(ORDERS, sort)
    ? { sort: sort as FileOrder }
    : {}),
  ...(layout === 'grid' ? { layout } : {}),
})
