import { sql } from 'kysely'
import type { Sql } from '../orm.ts'
import { type PostCursor, postRows } from './posts.ts'

/** Characters of a document in which its title is looked for. */
const BEGINNING = 8192

/** Which of one's own posts a list shows. */
export type Shown = 'all' | 'drafts' | 'published'

/** Some posts of a person with the beginnings of their documents, newest first. */
export const listOwnPosts = (
  db: Sql,
  authorId: string,
  { shown, after, limit }: { shown: Shown; after: PostCursor | null; limit: number },
) =>
  postRows(db)
    .select(['post.position as position', 'post.url as url', 'post.text as text'])
    .select(sql<string | null>`left(post.html, ${BEGINNING})`.as('html'))
    .where('post.author_id', '=', authorId)
    .$if(shown !== 'all', query =>
      query.where('post.published_at', shown === 'drafts' ? 'is' : 'is not', null),
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

/** How many drafts and how many published posts a person has. */
export const countOwnPosts = (db: Sql, authorId: string) =>
  db
    .selectFrom('posts')
    .where('author_id', '=', authorId)
    .select([
      sql<number>`count(*) filter (where published_at is null)::int`.as('drafts'),
      sql<number>`count(*) filter (where published_at is not null)::int`.as('published'),
    ])
    .executeTakeFirstOrThrow()

/** A post of a person's own with everything that it consists of. */
export const findOwnPost = (db: Sql, authorId: string, id: string) =>
  postRows(db)
    .select(['post.html as html', 'post.markdown as markdown', 'post.url as url', 'post.text as text'])
    .where('post.id', '=', id)
    .where('post.author_id', '=', authorId)
    .executeTakeFirst()
