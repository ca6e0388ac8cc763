import type { Addresses } from '../../core/addresses.ts'

interface Row {
  id: string
  author_handle: string
  format: 'html' | 'rich' | 'reblog'
  tags: string[]
  published_at: Date | null
  created_at: Date
  updated_at: Date
  like_count: number | null
  comment_count: number | null
}

/** Converts a row to the API's post object. */
export const toPost = (addresses: Addresses, row: Row) => ({
  id: row.id,
  url: addresses.post(row.id),
  author_handle: row.author_handle,
  format: row.format,
  tags: row.tags,
  published: row.published_at !== null,
  published_at: row.published_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  like_count: row.like_count ?? 0,
  comment_count: row.comment_count ?? 0,
})
