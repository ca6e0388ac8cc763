import { sql } from 'kysely'
import type { Sql } from '../orm.ts'
import { type PostCursor, postRows } from './posts.ts'

/** Length of the part of a document that is searched for its title, in characters. */
const EXCERPT = 8192

export type PostFilter = 'all' | 'drafts' | 'published'

/** One page of the list of an author's posts, newest first, each with the start of its document. */
export const listAuthorPosts = (
  db: Sql,
  authorId: string,
  { filter, after, limit }: { filter: PostFilter; after: PostCursor | null; limit: number },
) =>
  postRows(db)
    .select(['post.position as position', 'post.url as url', 'post.text as text'])
    .select(sql<string | null>`left(post.html, ${EXCERPT})`.as('html'))
    .where('post.author_id', '=', authorId)
    .$if(filter !== 'all', query =>
      query.where('post.published_at', filter === 'drafts' ? 'is' : 'is not', null),
    )
    .$if(after !== null, query =>
      query.where(
        sql<boolean>`(post.created_at, post.position) < (${after!.at}::timestamptz, ${after!.position}::bigint)`,
      ),
    )
    .orderBy('post.created_at', 'desc')
    .orderBy('post.position', 'desc')
    .limit(limit)
    .execute()

/** How many drafts and how many published posts an author has. */
export const countAuthorPosts = (db: Sql, authorId: string) =>
  db
    .selectFrom('posts')
    .where('author_id', '=', authorId)
    .select([
      sql<number>`count(*) filter (where published_at is null)::int`.as('drafts'),
      sql<number>`count(*) filter (where published_at is not null)::int`.as('published'),
    ])
    .executeTakeFirstOrThrow()

/** One of an author's posts with its full content. */
export const findAuthorPost = (db: Sql, authorId: string, id: string) =>
  postRows(db)
    .select(['post.html as html', 'post.markdown as markdown', 'post.url as url', 'post.text as text'])
    .where('post.id', '=', id)
    .where('post.author_id', '=', authorId)
    .executeTakeFirst()
