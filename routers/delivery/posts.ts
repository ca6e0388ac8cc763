import { ID_PATTERN } from '../../db/id.ts'
import { isFollowing, listFollowedPosts } from '../../db/queries/follows.ts'
import { findMute } from '../../db/queries/mutes.ts'
import { type PostCursor, TITLE_EXCERPT } from '../../db/queries/posts.ts'
import {
  findPublicComment,
  findPublicProfile,
  findPublished,
  findPublishedDocument,
  listPublicComments,
  listPublished,
  POSTS_PER_PAGE,
  relationToPost,
} from '../../db/queries/published-posts.ts'
import type { SessionActor } from '../api/actor.ts'
import type { Core } from '../api/context.ts'
import { pageOf, readCursor, writeCursor } from '../api/pages.ts'
import { userRules } from '../api/rules.ts'
import { shownText } from '../api/shown-text.ts'
import { isOperator } from '../api/signed-in.ts'
import { documentOf } from '../social/posts/document.ts'
import { titleOf } from '../social/posts/title.ts'

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
type PostRow = Omit<
  NonNullable<Awaited<ReturnType<typeof findPublished>>>,
  'author_id' | 'suspended_at' | 'comments_closed_at'
>

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

/** Which rows of a list to read. */
interface Excerpt {
  after: PostCursor | null
  bodyLength: number
}

/** Returns one page of a list; null for an invalid cursor. */
const listPosts = async (
  cursor: string | null,
  read: (excerpt: Excerpt) => Promise<(PostRow & { position: string })[]>,
): Promise<PostPage | null> => {
  const after = readCursor(cursor)
  if (after === undefined) return null
  const found = await read({ after, bodyLength: WHOLE_IN_LISTS })
  const { rows, next } = pageOf(found, POSTS_PER_PAGE, ({ published_at: at, position }) =>
    writeCursor({ at, position }),
  )
  return { posts: rows.map(row => publicPost(row, WHOLE_IN_LISTS)), next }
}

/**
 * Returns the public timeline, newest first; null for an invalid cursor.
 *
 * @param reader posts of people whom this reader has muted or blocked are left out
 */
export const readTimeline = (
  core: Core,
  reader: SessionActor | null,
  cursor: string | null,
): Promise<PostPage | null> =>
  listPosts(cursor, excerpt =>
    listPublished(core.database, reader ? { ...excerpt, readerId: reader.accountId } : excerpt),
  )

/**
 * Returns the posts of the people that the reader follows and has not muted, newest first; null for an invalid cursor.
 */
export const readFollowedPosts = (
  core: Core,
  { accountId }: SessionActor,
  cursor: string | null,
): Promise<PostPage | null> =>
  listPosts(cursor, excerpt => listFollowedPosts(core.database, accountId, excerpt))

/** A person's profile with a page of their posts, and how the reader is related to the person. */
export interface Profile extends PostPage {
  author: Author
  bio: string | null
  /** Whether an operator has suspended the account. If so, its posts, name, picture and bio are hidden. */
  isSuspended: boolean
  /** The signed-in reader; null for anonymous visitors. */
  reader: {
    isSelf: boolean
    isFollowing: boolean
    isOperator: boolean
    /** Whether the reader's account is suspended. */
    isSuspended: boolean
    /** Whether the reader has muted or blocked the person; null for neither. */
    mute: 'muted' | 'blocked' | null
    /** Whether the person has blocked the reader. */
    isBlocked: boolean
  } | null
}

/**
 * Returns a person's profile with their posts; null when no account has that handle, or for an invalid cursor.
 *
 * @param reader the session of the reader, if there is one
 */
export const readProfile = async (
  core: Core,
  handle: string,
  reader: SessionActor | null,
  cursor: string | null,
): Promise<Profile | null> => {
  if (!new RegExp(userRules.profile.handle.pattern).test(handle)) return null
  const sql = core.database
  const person = await findPublicProfile(sql, handle)
  if (!person) return null
  const [page, follows, mute, mutedBy] = await Promise.all([
    listPosts(cursor, excerpt => listPublished(sql, { ...excerpt, author: person.id })),
    reader !== null && isFollowing(sql, reader.accountId, person.id),
    reader && findMute(sql, reader.accountId, person.id),
    reader && findMute(sql, person.id, reader.accountId),
  ])
  const isSuspended = person.suspended_at !== null
  return (
    page && {
      ...page,
      author: isSuspended ? { handle: person.handle, name: person.handle, iconId: null } : author(person),
      bio: isSuspended ? null : person.bio,
      isSuspended,
      reader: reader && {
        isSelf: reader.accountId === person.id,
        isFollowing: follows,
        isOperator: isOperator(core, reader.handle),
        isSuspended: reader.suspensionReason !== undefined,
        mute,
        isBlocked: mutedBy === 'blocked',
      },
    }
  )
}

/** A comment as readers see it. */
export interface PublicComment {
  id: string
  author: Author
  body: string
  /** The body as HTML that this service generated; null for plain text. */
  html: string | null
  createdAt: Date
  isEdited: boolean
  /** Whether the reader wrote the comment. */
  isOwn: boolean
}

/** A published post with some of its comments, as one reader sees it. */
export interface PostWithComments {
  post: PublicPost
  /** The post's title or first words; may be empty. */
  title: string
  /**
   * The document of an HTML post whose author is suspended; otherwise null. While the author is suspended, the post's
   * own origin does not serve the document.
   */
  hiddenDocument: string | null
  /** Whether the author is suspended, so that only operators can see the post. */
  isHidden: boolean
  /** Whether the author has closed the post for comments. */
  isClosed: boolean
  comments: PublicComment[]
  /** Whether `comments` begins with the first comment on the post. */
  isFromStart: boolean
  /** Cursor of the first comment after `comments`; null if there is none. */
  next: string | null
  /** The signed-in reader; null for anonymous visitors. */
  reader: {
    handle: string
    hasLiked: boolean
    isAuthor: boolean
    followsAuthor: boolean
    /** Whether the reader has blocked the author of the post. */
    hasBlockedAuthor: boolean
    /** Whether the reader's account is suspended. */
    isSuspended: boolean
    /** Whether the author of the post has blocked the reader. */
    isBlocked: boolean
    /** Whether comments are left out because the reader has blocked their authors. */
    hidesComments: boolean
  } | null
}

/**
 * Returns a published post with a page of its comments; null when no published post has that id, or for an invalid
 * cursor.
 *
 * @param reader the session of the reader, if there is one. Operators also see posts of suspended authors.
 * @param cursor the first comment to list; null for the oldest
 */
export const readPost = async (
  core: Core,
  id: string,
  reader: SessionActor | null,
  cursor: string | null = null,
): Promise<PostWithComments | null> => {
  const from = readCursor(cursor)
  if (from === undefined || !ID_PATTERN.test(id)) return null
  const sql = core.database
  const limit = userRules.comment.list_max_count
  const [row, comments, relation] = await Promise.all([
    findPublished(sql, id),
    listPublicComments(sql, id, { readerId: reader?.accountId, from, limit: limit + 1 }),
    reader && relationToPost(sql, reader.accountId, id),
  ])
  if (!row) return null
  const isHidden = row.suspended_at !== null
  if (isHidden && !(reader && isOperator(core, reader.handle))) return null
  const later = comments[limit]
  const start = { ...row, html: row.html?.slice(0, TITLE_EXCERPT) ?? null }
  return {
    post: publicPost(row, Number.POSITIVE_INFINITY),
    title: shownText(titleOf(start)),
    hiddenDocument: isHidden && row.format === 'html' ? row.html : null,
    isHidden,
    isClosed: row.comments_closed_at !== null,
    comments: comments.slice(0, limit).map(comment => ({
      id: comment.id,
      author: author(comment),
      body: comment.body,
      html: comment.html,
      createdAt: comment.created_at,
      isEdited: comment.updated_at > comment.created_at,
      isOwn: comment.author_id === reader?.accountId,
    })),
    isFromStart: from === null,
    next: later ? writeCursor({ at: later.created_at, position: later.position }) : null,
    reader: reader &&
      relation && {
        handle: reader.handle,
        hasLiked: relation.has_liked,
        isAuthor: row.author_id === reader.accountId,
        followsAuthor: relation.follows_author,
        hasBlockedAuthor: relation.has_blocked_author ?? false,
        isSuspended: reader.suspensionReason !== undefined,
        isBlocked: relation.is_blocked_by_author,
        hidesComments: relation.hides_comments,
      },
  }
}

/** Returns the text and author of a comment on a published post; null when there is no such comment. */
export const readComment = async (
  core: Core,
  postId: string,
  id: string,
): Promise<Pick<PublicComment, 'id' | 'author' | 'body'> | null> => {
  if (!ID_PATTERN.test(postId) || !ID_PATTERN.test(id)) return null
  const row = await findPublicComment(core.database, postId, id)
  return row ? { id, author: author(row), body: row.body } : null
}

/** Returns the cursor of a list of comments that starts with the given comment. */
export const cursorOfComment = (createdAt: Date): string => writeCursor({ at: createdAt, position: '0' })

/** Returns the document at a post's origin; null for a draft, a post of a suspended author, or an unknown id. */
export const openPost = async (core: Core, id: string) => {
  if (!ID_PATTERN.test(id)) return null
  const row = await findPublishedDocument(core.database, id)
  return row ? { format: row.format, document: documentOf(row) } : null
}
