import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import type { Sql, Tables } from '../orm.ts'
import { changedAt } from './changed.ts'

/** Where a list of posts goes on: after the last one that was shown. */
export interface PostCursor {
  at: Date
  position: string
}

/** What a post consists of; its format says which of the others are null. */
export type PostContent = Pick<Insertable<Tables['posts']>, 'format'> & {
  html: string | null
  /** What `html` was made of, where its author wrote that in the screen. */
  markdown: string | null
  url: string | null
  text: string | null
}

/** Counted when asked for, over the tables' own keys: no number is kept that could come apart from the rows. */
const counts = (eb: ExpressionBuilder<{ post: Tables['posts'] } & Tables, 'post'>) => [
  eb
    .selectFrom('likes')
    .whereRef('likes.post_id', '=', 'post.id')
    .select(sql<number>`count(*)::int`.as('count'))
    .as('like_count'),
  eb
    .selectFrom('comments')
    .whereRef('comments.post_id', '=', 'post.id')
    .select(sql<number>`count(*)::int`.as('count'))
    .as('comment_count'),
]

/** Posts as every list and answer of their authors shows them. */
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
    .select(counts)

/** A person's posts, drafts included, newest first, without their content. */
export const listPostsOf = (db: Sql, authorId: string) =>
  postRows(db)
    .where('post.author_id', '=', authorId)
    .orderBy('post.created_at', 'desc')
    .orderBy('post.position', 'desc')
    .execute()

/** A post that a person may read, that is a published one or a draft of their own, with its content. */
export const findPost = (db: Sql, readerId: string, id: string) =>
  postRows(db)
    .select(['post.html as html', 'post.url as url', 'post.text as text'])
    .where('post.id', '=', id)
    .where(isVisibleTo(readerId))
    .executeTakeFirst()

/** Whether there is a post that a person may read. */
export const seesPost = async (db: Sql, readerId: string, id: string): Promise<boolean> =>
  (await db
    .selectFrom('posts as post')
    .where('post.id', '=', id)
    .where(isVisibleTo(readerId))
    .select('post.id')
    .executeTakeFirst()) !== undefined

/** Published, or a draft of the reader's own. */
export const isVisibleTo = (readerId: string) => (eb: ExpressionBuilder<{ post: Tables['posts'] }, 'post'>) =>
  eb.or([eb('post.published_at', 'is not', null), eb('post.author_id', '=', readerId)])

/** Whether there is a published post of that id. */
export const isPublished = async (db: Sql, id: string): Promise<boolean> =>
  (await db
    .selectFrom('posts')
    .where('id', '=', id)
    .where('published_at', 'is not', null)
    .select('id')
    .executeTakeFirst()) !== undefined

export const insertPost = (db: Sql, post: Insertable<Tables['posts']>) =>
  db.insertInto('posts').values(post).execute()

/** Which post a write is about: always one of the author's own. */
interface Own {
  id: string
  authorId: string
  /** Leaves a post in the other state alone. */
  state?: 'draft' | 'published'
  /** Leaves a post alone that has been changed since. */
  updatedAt?: Date | undefined
}

/** Narrows a write to the post it is about. */
const isOwn =
  ({ id, authorId, state, updatedAt }: Own) =>
  (eb: ExpressionBuilder<Tables, 'posts'>) =>
    eb.and([
      eb('id', '=', id),
      eb('author_id', '=', authorId),
      ...(state ? [eb('published_at', state === 'draft' ? 'is' : 'is not', null)] : []),
      ...(updatedAt ? [eb('updated_at', '=', updatedAt)] : []),
    ])

/**
 * Gives a post another content, and a draft other tags too where they are given. A text that differs only in the
 * Markdown it was made of is another one to whoever wrote it; to lose that Markdown changes nothing that is shown.
 *
 * @returns whether there was such a post
 */
export const replacePost = async (
  db: Sql,
  own: Own,
  { tags, ...content }: PostContent & { tags?: string[] },
  now: Date,
): Promise<boolean> => {
  const { format, html, markdown, url, text } = content
  const changes = sql<boolean>`(format, html, url, "text") is distinct from
    (${format}::text, ${html}::text, ${url}::text, ${text}::text)
    or markdown is distinct from coalesce(${markdown}::text, markdown)
    or tags is distinct from coalesce(${tags ?? null}::text[], tags)`
  const row = await db
    .updateTable('posts')
    .set({ ...content, ...(tags ? { tags } : {}), updated_at: changedAt(changes, now) })
    .where(isOwn(own))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Publishes a draft; a published post stays as it is. @returns whether there was such a post */
export const publishPost = async (db: Sql, own: Own, now: Date): Promise<boolean> =>
  (await db
    .updateTable('posts')
    .set({
      published_at: sql<Date>`coalesce(published_at, ${now}::timestamptz(3))`,
      updated_at: changedAt(sql<boolean>`published_at is null`, now),
    })
    .where(isOwn(own))
    .returning('id')
    .executeTakeFirst()) !== undefined

/** Deletes a post with its likes, comments and reports. @returns whether there was such a post */
export const deletePost = async (db: Sql, own: Own): Promise<boolean> =>
  (await db.deleteFrom('posts').where(isOwn(own)).returning('id').executeTakeFirst()) !== undefined
