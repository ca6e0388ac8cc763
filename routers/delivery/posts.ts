import { ID_PATTERN } from '../../db/id.ts'
import { sqlOf } from '../../db/orm.ts'
import {
  findPublicProfile,
  findPublished,
  findPublishedDocument,
  listPublicComments,
  listPublished,
} from '../../db/queries/published-posts.ts'
import type { Core } from '../core/context.ts'
import { userRules } from '../core/rules.ts'
import { readCursor, writeCursor } from '../social/posts/cursor.ts'
import { documentOf } from '../social/posts/document.ts'

/** Number of posts on one page of a list. */
const PAGE_SIZE = 20

/** Maximum length of a post that a list shows in full, in characters. */
const WHOLE_IN_LISTS = 16_384

/** A person as readers see them. */
export interface Author {
  handle: string
  /** The display name, or the handle if there is no display name. */
  name: string
  iconId: string | null
}

/** A published post as readers see it. */
export interface PublicPost {
  id: string
  author: Author
  tags: string[]
  publishedAt: Date
  isEdited: boolean
  likeCount: number
  commentCount: number
  content:
    | { format: 'html' }
    /**
     * HTML that this service generated. `isCut` is true in a list if the post is too long to be shown there in full.
     */
    | { format: 'rich'; html: string; isCut: boolean }
    | { format: 'reblog'; url: string; text: string | null }
}

/** One page of a list of posts, and the cursor of the next page. */
export interface PostPage {
  posts: PublicPost[]
  /** Null on the last page. */
  next: string | null
}

type PersonRow = { handle: string; display_name: string | null; icon_id: string | null }
type PostRow = NonNullable<Awaited<ReturnType<typeof findPublished>>>

const author = ({ handle, display_name, icon_id }: PersonRow): Author => ({
  handle,
  name: display_name ?? handle,
  iconId: icon_id,
})

const contentOf = ({ format, html, url, text }: PostRow, bodyLength: number): PublicPost['content'] => {
  if (format === 'reblog') return { format, url: url ?? '', text }
  if (format === 'rich') return { format, html: html ?? '', isCut: (html?.length ?? 0) > bodyLength }
  return { format }
}

const publicPost = (row: PostRow, bodyLength: number): PublicPost => ({
  id: row.id,
  author: author(row),
  tags: row.tags,
  publishedAt: row.published_at,
  isEdited: row.updated_at > row.published_at,
  likeCount: row.like_count ?? 0,
  commentCount: row.comment_count ?? 0,
  content: contentOf(row, bodyLength),
})

const listPosts = async (core: Core, cursor: string | null, by?: string): Promise<PostPage | null> => {
  const after = readCursor(cursor)
  if (after === undefined) return null
  const rows = await listPublished(sqlOf(core.orm), {
    ...(by === undefined ? {} : { author: by }),
    after,
    limit: PAGE_SIZE + 1,
    bodyLength: WHOLE_IN_LISTS,
  })
  const shown = rows.slice(0, PAGE_SIZE)
  const last = rows.length > PAGE_SIZE ? shown.at(-1) : undefined
  return {
    posts: shown.map(row => publicPost(row, WHOLE_IN_LISTS)),
    next: last ? writeCursor({ at: last.published_at, position: last.position }) : null,
  }
}

/** Returns the public timeline, newest first; null for an invalid cursor. */
export const readTimeline = (core: Core, cursor: string | null): Promise<PostPage | null> =>
  listPosts(core, cursor)

/** Returns a person's profile with their posts; null when no account has that handle. */
export const readProfile = async (core: Core, handle: string, cursor: string | null) => {
  if (!new RegExp(userRules.profile.handle.pattern).test(handle)) return null
  const person = await findPublicProfile(sqlOf(core.orm), handle)
  if (!person) return null
  const page = await listPosts(core, cursor, person.id)
  return page && { ...page, author: author(person), bio: person.bio }
}

/** Returns a published post with its first comments; null when no published post has that id. */
export const readPost = async (core: Core, id: string) => {
  if (!ID_PATTERN.test(id)) return null
  const sql = sqlOf(core.orm)
  const [row, comments] = await Promise.all([
    findPublished(sql, id),
    listPublicComments(sql, id, userRules.comment.list_max_count),
  ])
  if (!row) return null
  return {
    post: publicPost(row, Number.POSITIVE_INFINITY),
    comments: comments.map(comment => ({
      author: author(comment),
      body: comment.body,
      createdAt: comment.created_at,
    })),
  }
}

/** Returns the document at a post's origin; null for a draft and for an unknown id. */
export const openPost = async (core: Core, id: string) => {
  if (!ID_PATTERN.test(id)) return null
  const row = await findPublishedDocument(sqlOf(core.orm), id)
  return row ? { format: row.format, document: documentOf(row) } : null
}
