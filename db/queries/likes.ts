import { type ExpressionBuilder, sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import { isActive } from './suspensions.ts'

/**
 * Likes a post; does nothing when the account already likes it.
 *
 * @throws a violation of `likes_post_id_foreign` when the post was deleted
 */
export const insertLike = (db: Sql, postId: string, accountId: string) =>
  db
    .insertInto('likes')
    .values({ post_id: postId, account_id: accountId })
    .onConflict(conflict => conflict.doNothing())
    .execute()

export const deleteLike = compileOnceRows((db, postId: string, accountId: string) =>
  db.deleteFrom('likes').where('post_id', '=', postId).where('account_id', '=', accountId),
)

export const countLikes = async (db: Sql, postId: string): Promise<number> =>
  (await countRows(db, postId))!.count

const countRows = compileOnce((db, postId: string) =>
  db.selectFrom('likes').where('post_id', '=', postId).select(sql<number>`count(*)::int`.as('count')),
)

/** The numbers of likes and comments. They are counted on read, because a stored number could drift from the rows. */
export const postCounts = (eb: ExpressionBuilder<{ post: Tables['posts'] } & Tables, 'post'>) => [
  eb
    .selectFrom('likes')
    .whereRef('likes.post_id', '=', 'post.id')
    .select(sql<number>`count(*)::int`.as('count'))
    .as('like_count'),
  eb
    .selectFrom('comments')
    .whereRef('comments.post_id', '=', 'post.id')
    .where(isActive('comments.author_id'))
    .select(sql<number>`count(*)::int`.as('count'))
    .as('comment_count'),
]
