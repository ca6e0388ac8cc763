import { type Insertable, sql } from 'kysely'
import type { Sql, Tables } from '../orm.ts'
import { changedAt } from './changed.ts'
import { isVisibleTo } from './posts.ts'

/**
 * The first comments on a post, oldest first, in one query with the question whether the reader may see the post.
 *
 * @returns null when there is no such post for that reader
 */
export const listComments = async (db: Sql, readerId: string, postId: string, limit: number) => {
  const rows = await db
    .selectFrom('posts as post')
    .leftJoin('comments as comment', 'comment.post_id', 'post.id')
    .leftJoin('accounts as author', 'author.id', 'comment.author_id')
    .where('post.id', '=', postId)
    .where(isVisibleTo(readerId))
    .select([
      'comment.id as id',
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
  return rows.flatMap(({ id, author_handle, body, created_at, updated_at, post_id }) =>
    // A post without comments is one row of nothing.
    id === null || author_handle === null || body === null || created_at === null || updated_at === null
      ? []
      : [{ id, post_id, author_handle, body, created_at, updated_at }],
  )
}

/** @throws a violation of `comments_post_id_foreign` when the post is gone */
export const insertComment = (db: Sql, comment: Insertable<Tables['comments']>) =>
  db.insertInto('comments').values(comment).execute()

/** Replaces the text of one's own comment and returns it; nothing when there is none. */
export const updateComment = (db: Sql, authorId: string, id: string, body: string, now: Date) =>
  db
    .updateTable('comments')
    .set({ body, updated_at: changedAt(sql<boolean>`body <> ${body}`, now) })
    .where('id', '=', id)
    .where('author_id', '=', authorId)
    .returning(['id', 'post_id', 'body', 'created_at', 'updated_at'])
    .executeTakeFirst()

/** Deletes one's own comment. @returns whether there was one */
export const deleteComment = async (db: Sql, authorId: string, id: string): Promise<boolean> =>
  (await db
    .deleteFrom('comments')
    .where('id', '=', id)
    .where('author_id', '=', authorId)
    .returning('id')
    .executeTakeFirst()) !== undefined
