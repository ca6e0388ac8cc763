import { type Insertable, sql } from 'kysely'
import type { Sql, Tables } from '../orm.ts'
import { changedAt } from './changed.ts'

const comments = (db: Sql) =>
  db
    .selectFrom('comments as comment')
    .innerJoin('accounts as author', 'author.id', 'comment.author_id')
    .select([
      'comment.id as id',
      'comment.post_id as post_id',
      'author.handle as author_handle',
      'comment.body as body',
      'comment.created_at as created_at',
      'comment.updated_at as updated_at',
    ])

/** The first comments on a post, oldest first. */
export const listComments = (db: Sql, postId: string, limit: number) =>
  comments(db)
    .where('comment.post_id', '=', postId)
    .orderBy('comment.created_at')
    .orderBy('comment.position')
    .limit(limit)
    .execute()

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
