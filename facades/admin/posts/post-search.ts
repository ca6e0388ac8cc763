import { draftSearch } from '../drafts/draft-place.ts'

interface PostFilter {
  /** Which posts the list shows; by default, all. */
  show?: 'drafts' | 'published'
}

/** Validates the list's search parameters. */
export const postSearch = ({ show }: Record<string, unknown>): PostFilter =>
  show === 'drafts' || show === 'published' ? { show } : {}

/** Values of the search parameter `format` of a new post. */
const FORMATS = ['markdown', 'html', 'reblog'] as const

interface NewPost {
  /** Identifies the unsaved draft. */
  draft?: string
  format?: (typeof FORMATS)[number]
}

/** Validates the search parameters of a new post. */
export const newPostSearch = (search: Record<string, unknown>): NewPost => {
  const known = FORMATS.find(name => name === search.format)
  return { ...draftSearch(search), ...(known ? { format: known } : {}) }
}
