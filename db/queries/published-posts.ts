import { sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql } from '../database.ts'
import { formattedHtml } from './comments.ts'
import { postCounts } from './likes.ts'
import { hasBlocked, isUnblockedBy, isUnmutedBy } from './mutes.ts'
import type { PostCursor } from './posts.ts'
import { isActive } from './suspensions.ts'

/** The public fields of an author. */
const PERSON = [
  'author.handle as handle',
  'author.display_name as display_name',
  'icon.id as icon_id',
] as const

/** Selects published posts with their authors, without the documents and without posts of suspended accounts. */
export const published = (db: Sql) => allPublished(db).where('author.suspended_at', 'is', null)

const allPublished = (db: Sql) =>
  db
    .selectFrom('posts as post')
    .innerJoin('accounts as author', 'author.id', 'post.author_id')
    .leftJoin('icons as icon', 'icon.account_id', 'author.id')
    .where('post.published_at', 'is not', null)
    .select(PERSON)
    .select([
      'post.id as id',
      'post.position as position',
      'post.format as format',
      'post.url as url',
      'post.text as text',
      'post.tags as tags',
      'post.created_at as created_at',
      'post.updated_at as updated_at',
    ])
    .select(sql<Date>`post.published_at`.as('published_at'))
    .select(postCounts)

/** Number of posts on one page of a list. */
export const POSTS_PER_PAGE = 20

/** One more than a page shows, so that the caller can tell whether another page follows. */
export const POSTS_READ = sql.lit(POSTS_PER_PAGE + 1)

/**
 * Lists published posts, newest first: one page, and the first post of the next one. Do not pass both `author` and `readerId`.
 *
 * @param author the account whose posts are listed. By default, the posts of all accounts are listed
 * @param readerId the account that reads the list. Posts of people whom the reader has muted or blocked are left out
 * @param bodyLength length above which a body is cut. The first `bodyLength + 1` characters are returned, so that the
 * caller can tell that the body was cut
 */
export const listPublished = (
  db: Sql,
  {
    author,
    readerId,
    after,
    bodyLength,
  }: {
    author?: string
    readerId?: string
    after: PostCursor | null
    bodyLength: number
  },
) =>
  lists[author !== undefined ? 'ofAuthor' : readerId !== undefined ? 'forReader' : 'ofAll'][
    after === null ? 'first' : 'next'
  ](db, author ?? readerId ?? '', after?.at ?? EPOCH, after?.position ?? '0', bodyLength + 1)

/** A placeholder for the time of the cursor. The query for the first page ignores it. */
const EPOCH = new Date(0)

/**
 * Selects the document to show in a list. Null for a reblog. Also null for an HTML post, because the list shows it in a
 * frame.
 */
export const shownInline = (bodyLength: number) =>
  sql<string | null>`case when post.format = 'rich' then left(post.html, ${bodyLength}::int) end`.as('html')

const list = (of: 'all' | 'author' | 'reader', isAfter: boolean) =>
  compileOnceRows((db, account: string, at: Date, position: string, bodyLength: number) =>
    published(db)
      .select(shownInline(bodyLength))
      .$if(of === 'author', query => query.where('post.author_id', '=', account))
      .$if(of === 'reader', query => query.where(isUnmutedBy(account, 'post.author_id')))
      .$if(isAfter, query =>
        query.where(
          sql<boolean>`(post.published_at, post.position) < (${at}::timestamptz, ${position}::bigint)`,
        ),
      )
      .orderBy('post.published_at', 'desc')
      .orderBy('post.position', 'desc')
      // As a parameter, PostgreSQL would plan the statement each time, which takes nearly as long as running it.
      .limit(POSTS_READ),
  )

const lists = {
  ofAll: { first: list('all', false), next: list('all', true) },
  ofAuthor: { first: list('author', false), next: list('author', true) },
  forReader: { first: list('reader', false), next: list('reader', true) },
}

/** A published post with its body, even if its author is suspended. */
export const findPublished = compileOnce((db, id: string) =>
  allPublished(db)
    .where('post.id', '=', id)
    .select([
      'post.html as html',
      'post.author_id as author_id',
      'author.suspended_at as suspended_at',
      'post.comments_closed_at as comments_closed_at',
    ]),
)

/** The document of a published post, which is served at the post's own origin. */
export const findPublishedDocument = (db: Sql, id: string) =>
  db
    .selectFrom('posts as post')
    .innerJoin('accounts as author', 'author.id', 'post.author_id')
    .where('post.id', '=', id)
    .where('post.published_at', 'is not', null)
    .where('author.suspended_at', 'is', null)
    .select([
      'post.format as format',
      'post.html as html',
      'post.url as url',
      'post.text as text',
      'author.handle as author_handle',
    ])
    .executeTakeFirst()

/** A public profile by handle, ignoring case. */
export const findPublicProfile = (db: Sql, handle: string) =>
  db
    .selectFrom('accounts as author')
    .leftJoin('icons as icon', 'icon.account_id', 'author.id')
    .where(sql`lower(author.handle)`, '=', handle.toLowerCase())
    .select(PERSON)
    .select(['author.id as id', 'author.bio as bio', 'author.suspended_at as suspended_at'])
    .executeTakeFirst()

/**
 * How an account relates to a post: whether it likes the post, whether it follows, has muted or has blocked the author,
 * whether the author has blocked the account, and whether the account has blocked people who commented on the post.
 */
export const relationToPost = (db: Sql, accountId: string, postId: string) =>
  db
    .selectNoFrom(eb => [
      eb
        .exists(
          eb
            .selectFrom('likes')
            .where('likes.account_id', '=', accountId)
            .where('likes.post_id', '=', postId)
            .select('likes.post_id'),
        )
        .$castTo<boolean>()
        .as('has_liked'),
      eb
        .exists(
          eb
            .selectFrom('posts')
            .innerJoin('follows', 'follows.followed_id', 'posts.author_id')
            .where('posts.id', '=', postId)
            .where('follows.follower_id', '=', accountId)
            .select('posts.id'),
        )
        .$castTo<boolean>()
        .as('follows_author'),
      eb
        .exists(
          eb
            .selectFrom('posts')
            .where('posts.id', '=', postId)
            .where(hasBlocked('posts.author_id', accountId))
            .select('posts.id'),
        )
        .$castTo<boolean>()
        .as('is_blocked_by_author'),
      eb
        .selectFrom('posts')
        .innerJoin('mutes', 'mutes.muted_id', 'posts.author_id')
        .where('posts.id', '=', postId)
        .where('mutes.muter_id', '=', accountId)
        .select('mutes.is_block')
        .as('has_blocked_author'),
      eb
        .exists(
          eb
            .selectFrom('comments')
            .innerJoin('mutes', 'mutes.muted_id', 'comments.author_id')
            .where('comments.post_id', '=', postId)
            .where('mutes.muter_id', '=', accountId)
            .where('mutes.is_block', '=', true)
            .select('comments.id'),
        )
        .$castTo<boolean>()
        .as('hides_comments'),
    ])
    .executeTakeFirstOrThrow()

/** A comment on a published post, with its author. */
export const findPublicComment = (db: Sql, postId: string, id: string) =>
  db
    .selectFrom('comments as comment')
    .innerJoin('posts as post', 'post.id', 'comment.post_id')
    .innerJoin('accounts as author', 'author.id', 'comment.author_id')
    .leftJoin('icons as icon', 'icon.account_id', 'author.id')
    .where('comment.id', '=', id)
    .where('post.id', '=', postId)
    .where('post.published_at', 'is not', null)
    .where('author.suspended_at', 'is', null)
    .where(isActive('post.author_id'))
    .select(PERSON)
    .select('comment.body as body')
    .executeTakeFirst()

/**
 * Comments on a post with their authors, oldest first.
 *
 * @param readerId leaves out comments of people whom this account has blocked
 * @param from the first comment to list; null for the oldest
 */
export const listPublicComments = (
  db: Sql,
  postId: string,
  { readerId, from, limit }: { readerId: string | undefined; from: PostCursor | null; limit: number },
) =>
  db
    .selectFrom('comments as comment')
    .innerJoin('accounts as author', 'author.id', 'comment.author_id')
    .leftJoin('icons as icon', 'icon.account_id', 'author.id')
    .where('comment.post_id', '=', postId)
    .where('author.suspended_at', 'is', null)
    .select(PERSON)
    .select([
      'comment.id as id',
      'comment.author_id as author_id',
      'comment.position as position',
      'comment.body as body',
      'comment.created_at as created_at',
      'comment.updated_at as updated_at',
    ])
    .select(formattedHtml)
    .$if(readerId !== undefined, query => query.where(isUnblockedBy(readerId!, 'comment.author_id')))
    .$if(from !== null, query =>
      query.where(
        sql<boolean>`(comment.created_at, comment.position) >= (${from?.at}::timestamptz, ${from?.position}::bigint)`,
      ),
    )
    .orderBy('comment.created_at')
    .orderBy('comment.position')
    .limit(limit)
    .execute()
