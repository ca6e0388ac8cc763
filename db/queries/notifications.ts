import { type Selectable, type SqlBool, sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import { formattedHtml } from './comments.ts'
import { hasNotMuted, isUnblockedBy } from './mutes.ts'
import { TITLE_EXCERPT } from './posts.ts'
import { isActive } from './suspensions.ts'

const isShown = (column: string, table: 'posts' | 'comments') =>
  sql<SqlBool>`(${sql.ref(column)} is null or exists (
    select from ${sql.table(table)} where id = ${sql.ref(column)} and ${isActive('author_id')}
      and ${hasNotMuted('note.account_id', 'author_id')}))`

/**
 * Skips notifications about posts and comments that were deleted, or whose author is suspended, muted or blocked, and
 * about spaces in which the account no longer participates.
 */
const STILL_EXISTS = sql<SqlBool>`${isShown('note.post_id', 'posts')} and ${isShown('note.comment_id', 'comments')}
  and ${isShown('note.reblog_id', 'posts')}
  and (note.space_id is null or exists (
    select from participants where space_id = note.space_id and account_id = note.account_id))`

/**
 * Tells the author of a post that it was reblogged by another post. Does nothing if both have the same author, if the
 * post is a draft or does not exist, or if the author muted the person who reblogs. The lock keeps the author's
 * account from being deleted before the notification exists.
 */
export const notifyReblogged = (db: Sql, postId: string, reblogId: string, now: Date) =>
  sql`
    with post as materialized (
      select id, author_id from posts where id = ${postId} and published_at is not null for key share
    )
    insert into notifications (account_id, kind, at, post_id, reblog_id)
    select post.author_id, 'reblogged', ${now}::timestamptz, post.id, reblog.id
    from post join posts as reblog on reblog.id = ${reblogId} and reblog.author_id <> post.author_id
      and ${hasNotMuted('post.author_id', 'reblog.author_id')}`.execute(db)

/** A post or comment that an operator takes down, its author, and the operator. */
export interface TakenDown {
  /** The post that is taken down, or the post of the comment that is taken down. */
  post_id: string
  /** The comment that is taken down; null if a post is taken down. */
  comment_id: string | null
  author_id: string
  operator_id: string
  /** The start of the post or comment. */
  text: string
  reason: string | null
}

/**
 * Creates the notifications for the case that an operator takes down a post or comment. The author gets a notification.
 * Everyone with an open report of the post or comment gets one, too. Call this function before the deletion, while the
 * post or comment is locked.
 */
export const notifyTakenDown = async (
  db: Sql,
  { post_id, comment_id, author_id, operator_id, text, reason }: TakenDown,
  now: Date,
): Promise<void> => {
  const subject = comment_id === null ? 'post' : 'comment'
  await sql`
    insert into notifications (account_id, kind, at, subject, "text", reason)
    select ${author_id}, 'taken_down', ${now}::timestamptz, ${subject}, ${text}, ${reason}
    where ${author_id}::text <> ${operator_id}
    union all
    select reporter_id, 'report_accepted', ${now}::timestamptz, ${subject}, report.reason, null
    from reports as report
    where ${comment_id === null ? sql`report.post_id = ${post_id}` : sql`report.comment_id = ${comment_id}`}
      and dismissed_at is null and reporter_id <> ${operator_id}`.execute(db)
}

/**
 * Notifies a person of an operator's decision about their account. `Notification` in `entities/social.ts` explains why
 * the kind is always `taken_down`.
 */
export const notifyOfDecision = (
  db: Sql,
  accountId: string,
  decision: NonNullable<NotificationRow['decision']>,
  reason: string | null,
  now: Date,
) =>
  db
    .insertInto('notifications')
    .values({ account_id: accountId, kind: 'taken_down', decision, at: now, reason })
    .execute()

/**
 * Tells a person that an owner has changed their role or has removed them. `Notification` in `entities/social.ts` explains
 * the columns. Call while the account is locked, so that it is not deleted before the notification exists.
 */
export const notifyOfParticipation = (
  db: Sql,
  accountId: string,
  participation: NonNullable<NotificationRow['participation']>,
  space: { id: string; name: string },
  now: Date,
) =>
  db
    .insertInto('notifications')
    .values({
      account_id: accountId,
      kind: 'taken_down',
      participation,
      at: now,
      ...(participation === 'removed' ? { text: space.name } : { space_id: space.id }),
    })
    .execute()

/**
 * One page of the notifications of an account, latest first. If a notification is about a comment, `is_on_later_page`
 * is true when that comment is not on the first page of the post's comments.
 *
 * @param before only notifications before this position
 * @param commentsPerPage number of comments on one page of a post's comments
 */
export const listNotifications = (
  db: Sql,
  accountId: string,
  { before, limit, commentsPerPage }: { before: string | null; limit: number; commentsPerPage: number },
) =>
  db
    .selectFrom('notifications as note')
    .leftJoin('posts as post', 'post.id', 'note.post_id')
    .leftJoin('comments as comment', 'comment.id', 'note.comment_id')
    .leftJoin('posts as reblog', 'reblog.id', 'note.reblog_id')
    .leftJoin('space_names as space', 'space.id', 'note.space_id')
    .leftJoin('accounts as person', join =>
      join.on(({ eb, fn }) =>
        eb('person.id', '=', fn.coalesce('reblog.author_id', 'comment.author_id', 'post.author_id')),
      ),
    )
    .where('note.account_id', '=', accountId)
    .where(STILL_EXISTS)
    .$if(before !== null, query => query.where('note.position', '<', before!))
    .select([
      'note.position as position',
      'note.kind as kind',
      'note.at as at',
      'note.decision as decision',
      'note.subject as subject',
      'note.text as text',
      'note.reason as reason',
      'note.read_at as read_at',
      'note.post_id as post_id',
      'note.comment_id as comment_id',
      'note.reblog_id as reblog_id',
      'note.domain as domain',
      'note.webhook as webhook',
      'note.participation as participation',
      'note.schedule as schedule',
      'space.subdomain as space_subdomain',
      'space.name as space_name',
      'person.handle as person_handle',
      'person.display_name as person_name',
      'comment.body as comment_body',
      'post.format as post_format',
      'post.url as post_url',
      'post.text as post_text',
    ])
    .select(formattedHtml)
    .select([
      'comment.created_at as commented_at',
      sql<string | null>`left(post.html, ${TITLE_EXCERPT})`.as('post_html'),
      sql<boolean>`exists (
        select from comments as earlier where earlier.post_id = comment.post_id and ${isActive('earlier.author_id')}
          and ${isUnblockedBy(accountId, 'earlier.author_id')}
          and (earlier.created_at, earlier.position) < (comment.created_at, comment.position)
        offset ${commentsPerPage - 1}
      )`.as('is_on_later_page'),
    ])
    .orderBy('note.position', 'desc')
    .limit(limit)
    .execute()

/** How many unread notifications an account has, up to `max`. */
export const countUnread = async (db: Sql, accountId: string, max: number): Promise<number> =>
  (await countUnreadRows(db, accountId, max))?.count ?? 0

const countUnreadRows = compileOnce((db, accountId: string, max: number) =>
  db
    .selectFrom(
      db
        .selectFrom('notifications as note')
        .where('note.account_id', '=', accountId)
        .where('note.read_at', 'is', null)
        .where(STILL_EXISTS)
        .select('note.position')
        .limit(max)
        .as('unread'),
    )
    .select(sql<number>`count(*)::int`.as('count')),
)

/**
 * Marks one notification of an account as read. With `andEarlier`, also marks all earlier notifications of the account.
 * Skips notifications that are already read.
 */
export const markRead = (
  db: Sql,
  accountId: string,
  { position, andEarlier }: { position: string; andEarlier: boolean },
  now: Date,
) =>
  db
    .updateTable('notifications')
    .set({ read_at: now })
    .where('account_id', '=', accountId)
    .where('position', andEarlier ? '<=' : '=', position)
    .where('read_at', 'is', null)
    .execute()

/** Deletes notifications from before a time, oldest first. @returns how many were deleted, at most `limit` */
export const deleteOldNotifications = async (db: Sql, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from notifications where position in (
      select position from notifications where at < ${before} order by at limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Deletes the oldest notifications of accounts that have more than `kept`. Checks only accounts that received a
 * notification at or after `since`.
 *
 * @returns how many were deleted, at most `limit`
 */
export const deleteExcessNotifications = async (
  db: Sql,
  kept: number,
  since: Date,
  limit: number,
): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from notifications where position in (
      select position from (
        select position, row_number() over (partition by account_id order by position desc) as place
        from notifications
        where account_id in (select account_id from notifications where at >= ${since})
      ) as note
      where place > ${kept}
      order by position
      limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}

/** A notification as `listNotifications` returns it. */
export type NotificationRow = Awaited<ReturnType<typeof listNotifications>>[number]

/** The kind of event that a notification is about. */
export type NotificationKind = Selectable<Tables['notifications']>['kind']
