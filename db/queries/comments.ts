import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import { hasBlocked, hasNotMuted, isUnblockedBy } from './mutes.ts'
import { isVisibleTo, nextUpdatedAt, type PostCursor, TITLE_EXCERPT } from './posts.ts'
import { isActive } from './suspensions.ts'

/**
 * The first comments on a post, oldest first, in one query that also checks whether the reader can see the post. Leaves
 * out comments of people whom the reader blocked.
 *
 * @param after only later comments
 * @returns null when the reader can see no such post
 */
export const listComments = async (
  db: Sql,
  readerId: string,
  postId: string,
  after: PostCursor | null,
  limit: number,
) => {
  const rows = await db
    .selectFrom('posts as post')
    .leftJoin('comments as comment', join =>
      join
        .onRef('comment.post_id', '=', 'post.id')
        .on(isActive('comment.author_id'))
        .on(isUnblockedBy(readerId, 'comment.author_id'))
        .on(
          after === null
            ? sql<boolean>`true`
            : sql<boolean>`(comment.created_at, comment.position) > (${after.at}::timestamptz, ${after.position}::bigint)`,
        ),
    )
    .leftJoin('accounts as author', 'author.id', 'comment.author_id')
    .where('post.id', '=', postId)
    .where(isVisibleTo(readerId))
    .select([
      'comment.id as id',
      'comment.position as position',
      'post.id as post_id',
      'author.handle as author_handle',
      'comment.body as body',
      'comment.created_at as created_at',
      'comment.updated_at as updated_at',
    ])
    .orderBy('comment.created_at')
    .orderBy('comment.position')
    .limit(limit)
    .execute()
  if (rows.length === 0) return null
  return rows.flatMap(({ id, position, author_handle, body, created_at, updated_at, post_id }) =>
    // The left join returns one row of nulls for a post without comments.
    id === null ||
    position === null ||
    author_handle === null ||
    body === null ||
    created_at === null ||
    updated_at === null
      ? []
      : [{ id, position, post_id, author_handle, body, created_at, updated_at }],
  )
}

/**
 * Inserts a comment, and notifies the author of the post. Sends no notification if both have the same author, or
 * if the author of the post has muted the author of the comment.
 *
 * @throws a violation of `comments_post_id_foreign` when the post was deleted
 */
export const insertComment = (
  db: Sql,
  comment: Omit<Insertable<Tables['comments']>, 'position'> & { created_at: Date },
): Promise<unknown> =>
  insertCommentRow(db, comment.id, comment.post_id, comment.author_id, comment.body, comment.created_at)

const insertCommentRow = compileOnceRows(
  (db, id: string, post_id: string, author_id: string, body: string, created_at: Date) =>
    db
      .with('comment', query =>
        query
          .insertInto('comments')
          .values({ id, post_id, author_id, body, created_at, updated_at: created_at })
          .returning(['id', 'post_id', 'author_id', 'created_at']),
      )
      .insertInto('notifications')
      .columns(['account_id', 'kind', 'at', 'post_id', 'comment_id'])
      .expression(query =>
        query
          .selectFrom('comment')
          .innerJoin('posts as post', 'post.id', 'comment.post_id')
          .whereRef('post.author_id', '<>', 'comment.author_id')
          .where(hasNotMuted('post.author_id', 'comment.author_id'))
          .select([
            'post.author_id',
            sql<'commented'>`'commented'`.as('kind'),
            'comment.created_at',
            'post.id as post_id',
            'comment.id as comment_id',
          ]),
      ),
)

/** Stores the HTML of a comment that was written as Markdown, in place of the HTML of its earlier text. */
export const storeFormatted = (
  db: Sql,
  { comment_id, source, html }: Insertable<Tables['formatted_comments']>,
) =>
  db
    .insertInto('formatted_comments')
    .values({ comment_id, source, html })
    .onConflict(conflict => conflict.column('comment_id').doUpdateSet({ source, html }))
    .execute()

/** The HTML of a comment; null if it was not written as Markdown, or if its text has been replaced since. */
export const formattedHtml = (eb: ExpressionBuilder<{ comment: Tables['comments'] } & Tables, 'comment'>) =>
  eb
    .selectFrom('formatted_comments as formatted')
    .whereRef('formatted.comment_id', '=', 'comment.id')
    .whereRef('formatted.source', '=', 'comment.body')
    .select('formatted.html')
    .as('html')

/** Locks a comment of an author and returns the time of its last change; undefined if there is no such comment. */
export const lockComment = compileOnce((db, authorId: string, id: string) =>
  db
    .selectFrom('comments')
    .where('id', '=', id)
    .where('author_id', '=', authorId)
    .select('updated_at')
    .forUpdate(),
)

/** Replaces the text of an author's comment and returns the comment; undefined when the author has no such comment. */
export const updateComment = compileOnce((db, authorId: string, id: string, body: string, now: Date) =>
  db
    .updateTable('comments')
    .set({ body, updated_at: nextUpdatedAt(sql<boolean>`body <> ${body}`, now) })
    .where('id', '=', id)
    .where('author_id', '=', authorId)
    .returning(['id', 'post_id', 'body', 'created_at', 'updated_at']),
)

/** A comment of an author; undefined when the author has no such comment. */
export const findOwnComment = (db: Sql, authorId: string, id: string) =>
  db
    .selectFrom('comments')
    .where('id', '=', id)
    .where('author_id', '=', authorId)
    .select(['id', 'post_id', 'body', 'created_at'])
    .executeTakeFirst()

/** The published post of a comment; undefined when readers see no such comment. */
export const findCommentedPost = (db: Sql, id: string): Promise<{ post_id: string } | undefined> =>
  db
    .selectFrom('comments as comment')
    .innerJoin('posts as post', 'post.id', 'comment.post_id')
    .where('comment.id', '=', id)
    .where('post.published_at', 'is not', null)
    .where(isActive('post.author_id'))
    .where(isActive('comment.author_id'))
    .select('comment.post_id as post_id')
    .executeTakeFirst()

/** Deletes a comment by any author. */
export const eraseComment = (db: Sql, id: string) => db.deleteFrom('comments').where('id', '=', id).execute()

/**
 * Deletes any person's comment on a post of this author.
 *
 * @returns whether there was one
 */
export const deleteCommentOnPostOf = async (db: Sql, authorId: string, id: string): Promise<boolean> =>
  (await db
    .deleteFrom('comments')
    .where('id', '=', id)
    .where('post_id', 'in', eb => eb.selectFrom('posts').where('author_id', '=', authorId).select('id'))
    .returning('id')
    .executeTakeFirst()) !== undefined

/**
 * Deletes an author's comment.
 *
 * @returns whether there was one
 */
export const deleteComment = async (db: Sql, authorId: string, id: string): Promise<boolean> =>
  (await deleteOwnComment(db, authorId, id)) !== undefined

const deleteOwnComment = compileOnce((db, authorId: string, id: string) =>
  db.deleteFrom('comments').where('id', '=', id).where('author_id', '=', authorId).returning('id'),
)

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
