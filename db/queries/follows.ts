import { type Insertable, sql } from 'kysely'
import type { Sql, Tables } from '../orm.ts'
import type { PostCursor } from './posts.ts'

/**
 * Follows a person; does nothing when the account already follows them.
 *
 * @returns whether the follow is new
 * @throws a violation of `follows_followed_id_foreign` when the followed account was deleted
 */
export const insertFollow = async (
  db: Sql,
  follow: Pick<Insertable<Tables['follows']>, 'follower_id' | 'followed_id' | 'created_at'>,
): Promise<boolean> =>
  (await db
    .insertInto('follows')
    .values(follow)
    .onConflict(conflict => conflict.doNothing())
    .returning('followed_id')
    .executeTakeFirst()) !== undefined

export const deleteFollow = (db: Sql, followerId: string, followedId: string) =>
  db
    .deleteFrom('follows')
    .where('follower_id', '=', followerId)
    .where('followed_id', '=', followedId)
    .execute()

/** Whether an account follows another. */
export const isFollowing = async (db: Sql, followerId: string, followedId: string): Promise<boolean> =>
  (await db
    .selectFrom('follows')
    .where('follower_id', '=', followerId)
    .where('followed_id', '=', followedId)
    .select('followed_id')
    .executeTakeFirst()) !== undefined

/** One page of the people that an account follows, sorted from the newest follow to the oldest. */
export const listFollows = (db: Sql, followerId: string, after: PostCursor | null, limit: number) =>
  db
    .selectFrom('follows as follow')
    .innerJoin('accounts as person', 'person.id', 'follow.followed_id')
    .leftJoin('icons as icon', 'icon.account_id', 'person.id')
    .where('follow.follower_id', '=', followerId)
    .$if(after !== null, query =>
      query.where(
        sql<boolean>`(follow.created_at, follow.position) < (${after?.at}::timestamptz, ${after?.position}::bigint)`,
      ),
    )
    .select([
      'person.handle as handle',
      'person.display_name as display_name',
      'icon.id as icon_id',
      'follow.created_at as created_at',
      'follow.position as position',
    ])
    .orderBy('follow.created_at', 'desc')
    .orderBy('follow.position', 'desc')
    .limit(limit)
    .execute()

/** How many people an account follows. */
export const countFollows = async (db: Sql, followerId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('follows')
    .where('follower_id', '=', followerId)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}
