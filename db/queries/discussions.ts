import { sql } from 'kysely'
import type { Sql } from '../orm.ts'
import { TITLE_EXCERPT } from './author-posts.ts'
import { formattedHtml } from './comments.ts'
import { hasBlocked, isUnblockedBy } from './mutes.ts'
import { isVisibleTo, type PostCursor } from './posts.ts'
import { isActive } from './suspensions.ts'

/**
 * Whether a post is closed for comments, and whether its author has blocked the reader; undefined when the reader can see
 * no such post.
 */
export const findDiscussion = (db: Sql, readerId: string, postId: string) =>
  db
    .selectFrom('posts as post')
    .where('post.id', '=', postId)
    .where(isVisibleTo(readerId))
    .select([
      sql<boolean>`post.comments_closed_at is not null`.as('is_closed'),
      hasBlocked('post.author_id', readerId).as('has_blocked_reader'),
    ])
    .executeTakeFirst()

/**
 * Closes an author's post for comments, or opens it again. Does not change `updated_at`, because the post stays the same.
 *
 * @returns whether there was such a post
 */
export const setDiscussionClosed = async (
  db: Sql,
  authorId: string,
  postId: string,
  closedAt: Date | null,
): Promise<boolean> =>
  (await db
    .updateTable('posts')
    .set({
      comments_closed_at: closedAt && sql<Date>`coalesce(comments_closed_at, ${closedAt}::timestamptz(3))`,
    })
    .where('id', '=', postId)
    .where('author_id', '=', authorId)
    .returning('id')
    .executeTakeFirst()) !== undefined

/** One of an author's posts with the start of its document, its number of comments, and whether it is closed. */
export const findDiscussedPost = (db: Sql, authorId: string, postId: string) =>
  db
    .selectFrom('posts as post')
    .where('post.id', '=', postId)
    .where('post.author_id', '=', authorId)
    .select([
      'post.format as format',
      'post.url as url',
      'post.text as text',
      'post.published_at as published_at',
    ])
    .select([
      sql<string | null>`left(post.html, ${TITLE_EXCERPT})`.as('html'),
      sql<boolean>`post.comments_closed_at is not null`.as('is_closed'),
    ])
    .select(eb =>
      eb
        .selectFrom('comments')
        .whereRef('comments.post_id', '=', 'post.id')
        .where(isActive('comments.author_id'))
        .where(isUnblockedBy(authorId, 'comments.author_id'))
        .select(sql<number>`count(*)::int`.as('count'))
        .as('comment_count'),
    )
    .executeTakeFirst()

/**
 * One page of the comments on a post with their authors, latest first, without those of people whom the reader blocked.
 *
 * @param before only earlier comments
 */
export const listLatestComments = (
  db: Sql,
  readerId: string,
  postId: string,
  before: PostCursor | null,
  limit: number,
) =>
  db
    .selectFrom('comments as comment')
    .innerJoin('accounts as author', 'author.id', 'comment.author_id')
    .where('comment.post_id', '=', postId)
    .where('author.suspended_at', 'is', null)
    .where(isUnblockedBy(readerId, 'comment.author_id'))
    .$if(before !== null, query =>
      query.where(
        sql<boolean>`(comment.created_at, comment.position) < (${before?.at}::timestamptz, ${before?.position}::bigint)`,
      ),
    )
    .select([
      'comment.id as id',
      'comment.position as position',
      'comment.body as body',
      'comment.created_at as created_at',
      'comment.updated_at as updated_at',
      'author.handle as author_handle',
      'author.display_name as display_name',
    ])
    .select(formattedHtml)
    .orderBy('comment.created_at', 'desc')
    .orderBy('comment.position', 'desc')
    .limit(limit)
    .execute()
