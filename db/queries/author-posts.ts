import { sql } from 'kysely'
import type { Sql } from '../orm.ts'
import { type PostContent, type PostCursor, postRows } from './posts.ts'

/** Number of characters at the start of a document that are searched for the title. */
export const TITLE_EXCERPT = 8192

export type PostFilter = 'all' | 'drafts' | 'published'

/** One page of the list of an author's posts, newest first, each with the start of its document. */
export const listAuthorPosts = (
  db: Sql,
  authorId: string,
  { filter, after, limit }: { filter: PostFilter; after: PostCursor | null; limit: number },
) =>
  postRows(db)
    .select(['post.position as position', 'post.url as url', 'post.text as text'])
    .select(sql<string | null>`left(post.html, ${TITLE_EXCERPT})`.as('html'))
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

/**
 * Finds the newest posts of an author that contain one of the given words in the first part of the document, in the
 * link or in the comment. Returns each with the start of its document.
 *
 * @param words spellings of the same word, for example with and without HTML entities
 * @param scan how many posts are searched, from the newest
 */
export const findAuthorPosts = async (
  db: Sql,
  authorId: string,
  words: readonly string[],
  { scan, limit }: { scan: number; limit: number },
) => {
  const { rows } = await sql<
    Pick<PostContent, 'format' | 'html' | 'url' | 'text'> & { id: string; is_draft: boolean }
  >`
    select id, format, html, url, text, is_draft
    from (
      select id, format, left(html, ${TITLE_EXCERPT}) as html, url, text, published_at is null as is_draft,
        created_at, position
      from posts where author_id = ${authorId}
      order by created_at desc, position desc
      limit ${scan}
    ) as post
    where exists (
      select from unnest(${words}::text[]) as word
      where position(lower(word) in lower(concat_ws(' ', html, text, url))) > 0
    )
    order by created_at desc, position desc
    limit ${limit}`.execute(db)
  return rows
}

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
