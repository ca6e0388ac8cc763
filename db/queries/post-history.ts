import { type Selectable, sql } from 'kysely'
import type { Sql, Tables } from '../database.ts'
import { TITLE_EXCERPT } from './posts.ts'

const CHANGE = ['position', 'post_id', 'at', 'action', 'cause', 'actor_kind', 'actor_label', 'agent'] as const

/** One page of the changes to a post, latest first. @param before only changes before this position */
export const listPostChanges = (
  db: Sql,
  accountId: string,
  { postId, before, limit }: { postId: string; before: string | null; limit: number },
) =>
  db
    .selectFrom('post_changes')
    .where('account_id', '=', accountId)
    .where('post_id', '=', postId)
    .$if(before !== null, query => query.where('position', '<', before!))
    .select(CHANGE)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()

/**
 * One page of an author's deleted posts, sorted from the newest deletion to the oldest. Each post comes with the start
 * of its document.
 */
export const listDeletedPosts = (
  db: Sql,
  accountId: string,
  { before, limit }: { before: string | null; limit: number },
) =>
  db
    .selectFrom('post_changes')
    .where('account_id', '=', accountId)
    .where('action', '=', 'delete')
    .$if(before !== null, query => query.where('position', '<', before!))
    .select(['position', 'post_id', 'at', 'format', 'url', 'text', 'published_at'])
    .select(sql<string | null>`left(html, ${TITLE_EXCERPT})`.as('html'))
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()

/** How many deleted posts an author has. */
export const countDeletedPosts = async (db: Sql, accountId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('post_changes')
    .where('account_id', '=', accountId)
    .where('action', '=', 'delete')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Finds a change in the history of an author's posts. The result includes the state of the post before the change. */
export const findPostChange = (db: Sql, accountId: string, position: string) =>
  db
    .selectFrom('post_changes')
    .where('account_id', '=', accountId)
    .where('position', '=', position)
    .select([...CHANGE, 'format', 'html', 'markdown', 'url', 'text', 'tags', 'published_at'])
    .executeTakeFirst()

/**
 * Finds a deleted post of an author.
 *
 * @returns the time at which the post was published (null for a draft) and the link that the post shares; undefined if
 * there is no such post
 */
export const findDeletedPost = (db: Sql, accountId: string, postId: string) =>
  db
    .selectFrom('post_changes')
    .where('account_id', '=', accountId)
    .where('post_id', '=', postId)
    .where('action', '=', 'delete')
    .select(['published_at', 'url'])
    .executeTakeFirst()

/**
 * Inserts a deleted post again with its reports, as it was when it was deleted, and removes the deletion from its
 * history. Reports by accounts that have been deleted since then get no reporter. The author's account must be locked.
 *
 * @returns whether there was such a post
 */
export const restoreDeletedPost = async (db: Sql, accountId: string, postId: string): Promise<boolean> => {
  const { rows } = await sql<{ id: string }>`
    with deleted as (
      delete from post_changes where account_id = ${accountId} and post_id = ${postId} and action = 'delete'
      returning *
    ), report as materialized (
      select report.*
      from deleted, jsonb_to_recordset(deleted.reports)
        as report (id text, reporter_id text, reason text, created_at timestamptz, dismissed_at timestamptz)
    ), reporter as materialized (
      select id from accounts where id in (select reporter_id from report) for key share
    ), reported as (
      insert into reports (id, post_id, reporter_id, reason, created_at, dismissed_at)
      select report.id, ${postId}, reporter.id, reason, created_at, dismissed_at
      from report left join reporter on reporter.id = report.reporter_id
    )
    insert into posts (id, author_id, position, format, html, markdown, url, "text", tags, published_at,
      comments_closed_at, created_at, updated_at)
    select post_id, account_id, post_position, format, html, markdown, url, "text", tags, published_at,
      comments_closed_at, created_at, updated_at
    from deleted
    returning id`.execute(db)
  return rows.length > 0
}

/** Deletes post changes that were made before a time, oldest first. @returns how many were deleted, at most `limit` */
export const deleteOldPostChanges = async (db: Sql, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from post_changes where position in (
      select position from post_changes where at < ${before} order by at limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}

/** Returns the ids of the accounts whose posts changed since a time, in ascending order. */
export const listAuthorsSince = async (db: Sql, since: Date): Promise<string[]> =>
  (
    await db
      .selectFrom('post_changes')
      .where('at', '>=', since)
      .select('account_id')
      .distinct()
      .orderBy('account_id')
      .execute()
  ).map(({ account_id }) => account_id)

/**
 * Deletes the oldest changes in the history of an author's posts if the history is too large.
 *
 * @param limits `versions`: maximum number of changes of each post; `bytes`: maximum size of the whole history in bytes
 * @param limit maximum number of changes that this call deletes
 * @returns how many changes were deleted
 */
export const deleteExcessPostChanges = async (
  db: Sql,
  accountId: string,
  { versions, bytes }: { versions: number; bytes: number },
  limit: number,
): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from post_changes where position in (
      select position from (
        select position,
          row_number() over (partition by post_id order by position desc) as place,
          sum(size) over (order by position desc) as total
        from post_changes where account_id = ${accountId}
      ) as kept
      where place > ${versions} or total > ${bytes}
      order by position
      limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}

/** A change to a post, without its state. */
export type PostChangeRow = Pick<Selectable<Tables['post_changes']>, (typeof CHANGE)[number]>
