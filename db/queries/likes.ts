import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

/** Likes a post, once however often. @throws a violation of `likes_post_id_foreign` when the post is gone */
export const insertLike = (db: Sql, postId: string, accountId: string) =>
  db
    .insertInto('likes')
    .values({ post_id: postId, account_id: accountId })
    .onConflict(conflict => conflict.doNothing())
    .execute()

export const deleteLike = (db: Sql, postId: string, accountId: string) =>
  db.deleteFrom('likes').where('post_id', '=', postId).where('account_id', '=', accountId).execute()

/** How many like a post. */
export const countLikes = async (db: Sql, postId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('likes')
    .where('post_id', '=', postId)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}
