import { id, oneOf, searchParams } from '../shell/search-params.ts'

/** Validates the list's search parameters. `show` selects the posts in the list; without it, all posts are shown. */
export const postSearch = searchParams({ show: oneOf(['drafts', 'published']) })

/** Validates the search parameters of a new post: its format and its draft. */
export const newPostSearch = searchParams({ format: oneOf(['markdown', 'html', 'reblog']), draft: id })
