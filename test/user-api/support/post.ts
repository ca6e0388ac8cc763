/** A post as the User API returns it; only single posts have `html` and `reblog`. */
export interface Post {
  id: string
  url: string
  format: string
  tags: string[]
  published: boolean
  published_at: string | null
  created_at: string
  updated_at: string
  html: string
  reblog: { url: string; text: string | null } | null
  like_count: number
  comment_count: number
}

/** The fields that a post has in a list. */
export const LISTED_FIELDS = [
  'author_handle',
  'comment_count',
  'created_at',
  'format',
  'id',
  'like_count',
  'published',
  'published_at',
  'tags',
  'updated_at',
  'url',
]

/** Returns the fields that an error response names, sorted. */
export const errorFieldsOf = (response: { body: { errors?: { field: string }[] } }): string[] =>
  (response.body.errors ?? []).map(({ field }) => field).sort()
