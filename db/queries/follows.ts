import { type Insertable, sql } from 'kysely'
import { compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import { isUnmutedBy } from './mutes.ts'
import type { PostCursor } from './posts.ts'
import { POSTS_READ, published, shownInline } from './published-posts.ts'
import { isActive } from './suspensions.ts'

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

/** The cursor of the first page: later than any post. */
const START: PostCursor = { at: new Date('9999-12-31T23:59:59.999Z'), position: '0' }

/**
 * Posts of the people that an account follows and has not muted, newest first.
 *
 * First, the query reads the latest post of each followed person, from an index. The query keeps as many people as it
 * lists posts, those whose latest posts are the newest: nobody else can have a post in the result. Then the query reads
 * the posts of these people. So the time that the query takes does not depend on the total number of posts.
 *
 * @param bodyLength longer bodies are cut to `bodyLength + 1` characters, so that the caller can tell that they were
 * cut
 */
export const listFollowedPosts = (
  db: Sql,
  followerId: string,
  { after, bodyLength }: { after: PostCursor | null; bodyLength: number },
) => {
  const { at, position } = after ?? START
  return list(db, followerId, at, position, bodyLength + 1)
}

const list = compileOnceRows((db, followerId: string, at: Date, position: string, bodyLength: number) => {
  const postsOf = (author: string, most: typeof POSTS_READ) => sql`(
      select id, published_at, position from posts
      where author_id = ${sql.ref(author)} and published_at is not null
        and (published_at, position) < (${at}::timestamptz, ${position}::bigint)
      order by published_at desc, position desc
      limit ${most}
    )`
  return published(db)
    .innerJoin(
      sql<{ id: string }>`(
          select candidate.id
          from (
            select follow.followed_id
            from follows as follow
            cross join lateral ${postsOf('follow.followed_id', sql.lit(1))} as latest
            where follow.follower_id = ${followerId} and ${isActive('follow.followed_id')}
              and ${isUnmutedBy(followerId, 'follow.followed_id')}
            order by latest.published_at desc, latest.position desc
            limit ${POSTS_READ}
          ) as person
          cross join lateral ${postsOf('person.followed_id', POSTS_READ)} as candidate
          order by candidate.published_at desc, candidate.position desc
          limit ${POSTS_READ}
        )`.as('listed'),
      'listed.id',
      'post.id',
    )
    .select(shownInline(bodyLength))
    .orderBy('post.published_at', 'desc')
    .orderBy('post.position', 'desc')
})
