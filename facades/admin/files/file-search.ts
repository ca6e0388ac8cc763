/** The orders in which files can be shown, as people call them; the list comes newest first. */
export const ORDERS = {
  newest: 'Newest first',
  changed: 'Last changed first',
  name: 'By name',
  size: 'Largest first',
} as const

export type FileOrder = keyof typeof ORDERS

export interface FileSearch {
  q?: string
  sort?: FileOrder
  layout?: 'grid'
}

/** What the address says of how the files are shown. */
export const fileSearch = ({ q, sort, layout }: Record<string, unknown>): FileSearch => ({
  ...(typeof q === 'string' && q !== '' ? { q } : {}),
  ...(typeof sort === 'string' && sort !== 'newest' && Object.hasOwn(ORDERS, sort)
    ? { sort: sort as FileOrder }
    : {}),
  ...(layout === 'grid' ? { layout } : {}),
})
