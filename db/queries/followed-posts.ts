import { sql } from 'kysely'
import { compileOnceRows } from '../compile-once.ts'
import type { Sql } from '../orm.ts'
import { isUnmutedBy } from './mutes.ts'
import type { PostCursor } from './posts.ts'
import { published, shownInline } from './published-posts.ts'
import { isActive } from './suspensions.ts'

/** The cursor of the first page: later than any post. */
const START: PostCursor = { at: new Date('9999-12-31T23:59:59.999Z'), position: '0' }

/**
 * Posts of the people that an account follows and has not muted, newest first.
 *
 * First, the query reads the latest post of each followed person, from an index. The query keeps the `limit` people
 * whose latest posts are the newest: nobody else can have a post in the result. Then the query reads the posts of these
 * people. So the time that the query takes does not depend on the total number of posts.
 *
 * @param bodyLength longer bodies are cut to `bodyLength + 1` characters, so that the caller can tell that they were
 * cut
 */
export const listFollowedPosts = (
  db: Sql,
  followerId: string,
  { after, limit, bodyLength }: { after: PostCursor | null; limit: number; bodyLength: number },
) => {
  const { at, position } = after ?? START
  return list(db, followerId, at, position, limit, bodyLength + 1)
}

const list = compileOnceRows(
  (db, followerId: string, at: Date, position: string, limit: number, bodyLength: number) => {
    const postsOf = (author: string, most: number) => sql`(
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
            cross join lateral ${postsOf('follow.followed_id', 1)} as latest
            where follow.follower_id = ${followerId} and ${isActive('follow.followed_id')}
              and ${isUnmutedBy(followerId, 'follow.followed_id')}
            order by latest.published_at desc, latest.position desc
            limit ${limit}
          ) as person
          cross join lateral ${postsOf('person.followed_id', limit)} as candidate
          order by candidate.published_at desc, candidate.position desc
          limit ${limit}
        )`.as('listed'),
        'listed.id',
        'post.id',
      )
      .select(shownInline(bodyLength))
      .orderBy('post.published_at', 'desc')
      .orderBy('post.position', 'desc')
  },
)
