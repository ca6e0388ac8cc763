import { type ExpressionBuilder, type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import { compileOnce, compileOnceRows, preparedRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import type { Author } from '../space-write.ts'
import { postCounts } from './likes.ts'
import { isActive } from './suspensions.ts'

/** The position after which the next page of posts starts. */
export interface PostCursor {
  at: Date
  position: string
}

/** A post's content; its format decides which of the other fields are null. */
export type PostContent = Pick<Insertable<Tables['posts']>, 'format'> & {
  html: string | null
  /** The source of `html`, for posts written in the dashboard. */
  markdown: string | null
  url: string | null
  text: string | null
}

/** Selects the fields of posts for lists and responses, without the content of the posts. */
export const postRows = (db: Sql) =>
  db
    .selectFrom('posts as post')
    .innerJoin('accounts as author', 'author.id', 'post.author_id')
    .select([
      'post.id as id',
      'author.handle as author_handle',
      'post.format as format',
      'post.tags as tags',
      'post.published_at as published_at',
      'post.created_at as created_at',
      'post.updated_at as updated_at',
    ])
    .select(postCounts)

/** An author's posts, drafts included, newest first, without their content. */
export const listPostsByAuthor = compileOnceRows((db, authorId: string) =>
  postRows(db)
    .where('post.author_id', '=', authorId)
    .orderBy('post.created_at', 'desc')
    .orderBy('post.position', 'desc'),
)

/** A post that the reader can see, with its content. */
export const findPost = compileOnce((db, readerId: string, id: string) =>
  postRows(db)
    .select(['post.html as html', 'post.url as url', 'post.text as text'])
    .where('post.id', '=', id)
    .where(isVisibleTo(readerId)),
)

/** Whether the reader can see a post with this id. */
export const canReadPost = async (db: Sql, readerId: string, id: string): Promise<boolean> =>
  (await findReadable(db, readerId, id)) !== undefined

const findReadable = compileOnce((db, readerId: string, id: string) =>
  db.selectFrom('posts as post').where('post.id', '=', id).where(isVisibleTo(readerId)).select('post.id'),
)

/** Readers see their own posts, and published posts of people who are not suspended. */
export const isVisibleTo = (readerId: string) => (eb: ExpressionBuilder<{ post: Tables['posts'] }, 'post'>) =>
  eb.or([
    eb.and([eb('post.published_at', 'is not', null), isActive('post.author_id')]),
    eb('post.author_id', '=', readerId),
  ])

/** Whether a published post has this id, and its author is not suspended. */
export const isPublished = async (db: Sql, id: string): Promise<boolean> =>
  (await findPublished(db, id)) !== undefined

const findPublished = compileOnce((db, id: string) =>
  db
    .selectFrom('posts')
    .where('id', '=', id)
    .where('published_at', 'is not', null)
    .where(isActive('author_id'))
    .select('id'),
)

type NewPost = Omit<Required<Insertable<Tables['posts']>>, 'position' | 'comments_closed_at'>

/**
 * Inserts a post.
 *
 * @throws a violation of `posts_author_id_foreign` when the author's account was deleted
 */
export const insertPost = preparedRows((db, post: NewPost) =>
  db.insertInto('posts').values({
    id: post.id,
    author_id: post.author_id,
    format: post.format,
    html: post.html,
    markdown: post.markdown,
    url: post.url,
    text: post.text,
    tags: post.tags,
    published_at: post.published_at,
    created_at: post.created_at,
    updated_at: post.updated_at,
  }),
)

/** The author of a write to a post: a token or a session, never a key of a space. */
export type PostAuthor = Omit<Author, 'kind'> & { kind: Tables['post_changes']['actor_kind'] }

/** The post that a write applies to: always a post of `author`. */
export interface PostTarget {
  id: string
  author: PostAuthor
  /** If given, the write applies only to a post in this state. */
  state?: 'draft' | 'published'
  /** If given, the write applies only to a post that has not changed since this time. */
  updatedAt?: Date | undefined
}

const isTarget = ({ id, author, state, updatedAt }: PostTarget): RawBuilder<SqlBool> =>
  sql.join(
    [
      sql`id = ${id} and author_id = ${author.accountId}`,
      ...(state ? [sql`published_at is ${state === 'draft' ? sql`null` : sql`not null`}`] : []),
      ...(updatedAt ? [sql`updated_at = ${updatedAt}::timestamptz`] : []),
    ],
    sql` and `,
  )

/** A change to a post, as the post's history records it. */
interface RecordedChange {
  action: Tables['post_changes']['action']
  cause: Tables['post_changes']['cause']
  now: Date
}

/** Approximate bytes of a row of `post_changes` besides its text columns, including its index entries. */
const ROW_SIZE = 500

/** The reports of `post` as JSON; null if there are none. `restoreDeletedPost` inserts them again. */
const REPORTS = sql`(select jsonb_agg(to_jsonb(report)) from reports as report where report.post_id = post.id)`

/**
 * Common table expressions for a statement that changes a post:
 *
 * - `post` locks the post, and contains the state of the post before the change.
 * - `recorded` inserts this state into the post's history, if the post meets `condition`. For a deletion, the
 *   inserted entry also contains the reports of the post.
 */
const recording = (
  target: PostTarget,
  { action, cause, now }: RecordedChange,
  condition: RawBuilder<SqlBool> = sql`true`,
) => {
  const { kind, label, agent } = target.author
  return sql`with post as materialized (
      select * from posts where ${isTarget(target)} for update
    ), recorded as (
      insert into post_changes (account_id, post_id, at, action, cause, actor_kind, actor_label, agent, format, html,
        markdown, url, "text", tags, post_position, published_at, comments_closed_at, created_at, updated_at, reports, size)
      select author_id, id, ${now}::timestamptz, ${action}, ${cause}, ${kind}, ${label}, ${agent}, format, html,
        markdown, url, "text", tags, position, published_at,
        ${action === 'delete' ? sql`comments_closed_at` : sql`null`}, created_at, updated_at,
        ${action === 'delete' ? REPORTS : sql`null`},
        ${ROW_SIZE}::int + coalesce(octet_length(html), 0) + coalesce(octet_length(markdown), 0)
          + coalesce(octet_length(url), 0) + coalesce(octet_length("text"), 0)
      from post where ${condition}
      returning 1
    )`
}

/**
 * Replaces a post's content, and records the post's earlier state. If tags are given and the post is a draft,
 * replaces the tags too. A change of the Markdown sets a new `updated_at` even if the HTML stays the same.
 * Removing the Markdown keeps `updated_at` if nothing else changes, because readers see no difference.
 *
 * @returns whether the history has a new entry, or undefined if there was no such post
 */
export const replacePost = async (
  db: Sql,
  target: PostTarget,
  { tags, ...content }: PostContent & { tags?: string[] },
  now: Date,
  cause: RecordedChange['cause'] = 'write',
): Promise<{ isRecorded: boolean } | undefined> => {
  const { format, html, markdown, url, text } = content
  const newTags = sql`case when published_at is null then coalesce(${tags ?? null}::text[], tags) else tags end`
  const changes = sql<boolean>`(format, html, url, "text") is distinct from
    (${format}::text, ${html}::text, ${url}::text, ${text}::text)
    or markdown is distinct from coalesce(${markdown}::text, markdown)
    or tags is distinct from ${newTags}`
  const losesMarkdown = sql<boolean>`markdown is distinct from ${markdown}::text`
  const { rows } = await sql<{ isRecorded: boolean }>`
    ${recording(target, { action: 'change', cause, now }, sql`${changes} or ${losesMarkdown}`)}
    update posts set format = ${format}, html = ${html}, markdown = ${markdown}, url = ${url}, "text" = ${text},
      tags = ${newTags}, updated_at = ${nextUpdatedAt(changes, now)}
    where id = (select id from post)
    returning exists (select from recorded) as "isRecorded"`.execute(db)
  return rows[0]
}

/**
 * Publishes a draft; does nothing to a published post.
 *
 * @returns the link of a reblog; null for any other post, and for a post that was already published; undefined if there
 * was no such post
 */
export const publishPost = async (
  db: Sql,
  target: PostTarget,
  now: Date,
): Promise<{ url: string | null } | undefined> => {
  const { rows } = await sql<{ url: string | null }>`
    with post as materialized (select id, published_at from posts where ${isTarget(target)} for update)
    update posts set published_at = coalesce(published_at, ${now}::timestamptz(3)),
      updated_at = ${nextUpdatedAt(sql<boolean>`published_at is null`, now)}
    where id = (select id from post)
    returning case when (select published_at from post) is null then url end as url`.execute(db)
  return rows[0]
}

/** Locks a post and returns the time of its last change; undefined if there is no such post. */
export const lockPost = async (db: Sql, target: PostTarget): Promise<{ updated_at: Date } | undefined> =>
  (
    await sql<{
      updated_at: Date
    }>`select updated_at from posts where ${isTarget(target)} for update`.execute(db)
  ).rows[0]

/**
 * Deletes a post with its likes, comments and reports, and records its last state and its reports, so that the author
 * can restore it. Use it in a transaction.
 *
 * @returns whether there was such a post
 */
export const deletePost = async (db: Sql, target: PostTarget, now: Date): Promise<boolean> => {
  // Lock the post and its reports first, so that the last statement sees every report in its current state. All
  // statements take one round trip.
  const [, , { rows }] = await Promise.all([
    sql`select from posts where ${isTarget(target)} for update`.execute(db),
    sql`select from reports where post_id = (select id from posts where ${isTarget(target)}) for update`.execute(
      db,
    ),
    sql<{ id: string }>`
      ${recording(target, { action: 'delete', cause: 'write', now })}
      delete from posts where id = (select id from post) returning id`.execute(db),
  ])
  return rows.length > 0
}

/**
 * Deletes a post with its likes, comments, reports and history, so that nobody can restore it. The post must be locked.
 */
export const erasePost = async (db: Sql, { id, author_id }: { id: string; author_id: string }) => {
  await db.deleteFrom('posts').where('id', '=', id).execute()
  await db.deleteFrom('post_changes').where('account_id', '=', author_id).where('post_id', '=', id).execute()
}

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

/**
 * The new value of `updated_at` in an update: if the row changes, a time later than the old value; otherwise the old
 * value. Computed by the statement that writes, so that two writers never get the same time.
 *
 * @param changes whether the update changes the row
 */
export const nextUpdatedAt = (changes: RawBuilder<SqlBool>, now: Date) =>
  sql<Date>`case when ${changes}
    then greatest(${now}::timestamptz(3), updated_at + interval '1 millisecond')
    else updated_at end`
