import { type Insertable, sql } from 'kysely'
import type { Sql, Tables } from '../database.ts'
import { formattedHtml } from './comments.ts'
import { TITLE_EXCERPT } from './posts.ts'

/**
 * Inserts a report of a post or comment.
 *
 * @throws a violation of `reports_post_reporter_unique` or `reports_comment_reporter_unique` if the person has already
 * reported the post or comment; a violation of `reports_post_id_foreign` or `reports_comment_id_foreign` if the post or
 * comment was deleted
 */
export const insertReport = (db: Sql, report: Insertable<Tables['reports']>) =>
  db.insertInto('reports').values(report).execute()

/** Open reports, oldest first. */
export const listReports = (db: Sql) =>
  db
    .selectFrom('reports as report')
    .leftJoin('comments as comment', 'comment.id', 'report.comment_id')
    .innerJoin('posts as post', join =>
      join.on(({ eb, fn }) => eb('post.id', '=', fn.coalesce('report.post_id', 'comment.post_id'))),
    )
    .innerJoin('accounts as author', join =>
      join.on(({ eb, fn }) => eb('author.id', '=', fn.coalesce('comment.author_id', 'post.author_id'))),
    )
    .leftJoin('accounts as reporter', 'reporter.id', 'report.reporter_id')
    .where('report.dismissed_at', 'is', null)
    .select([
      'report.id as id',
      'post.id as post_id',
      'comment.id as comment_id',
      'comment.body as comment_body',
      'author.handle as author_handle',
      sql<boolean>`author.suspended_at is not null`.as('author_is_suspended'),
      'reporter.handle as reporter_handle',
      'report.reason as reason',
      'report.created_at as created_at',
    ])
    .select(formattedHtml)
    .orderBy('report.created_at')
    .orderBy('report.id')
    .execute()

/**
 * Locks a post and then its open report: the same order as when a post is deleted.
 *
 * @returns the post with the start of its document, or undefined when the report is about a comment, was dismissed, or
 * was deleted with its post
 */
export const lockReportedPost = async (db: Sql, reportId: string) => {
  const post = await db
    .selectFrom('posts')
    .where('id', '=', eb => eb.selectFrom('reports').where('id', '=', reportId).select('post_id'))
    .select(['id', 'author_id', 'format', 'url', 'text'])
    .select(sql<string | null>`left(html, ${TITLE_EXCERPT})`.as('html'))
    .forUpdate()
    .executeTakeFirst()
  return (await lockOpenReport(db, reportId)) ? post : undefined
}

/**
 * Locks a comment, and then its open report. The deletion of a comment locks the two in the same order.
 *
 * @returns the comment; undefined if the report is about a post, was dismissed, or was deleted with its comment
 */
export const lockReportedComment = async (db: Sql, reportId: string) => {
  const comment = await db
    .selectFrom('comments')
    .where('id', '=', eb => eb.selectFrom('reports').where('id', '=', reportId).select('comment_id'))
    .select(['id', 'post_id', 'author_id', 'body'])
    .forUpdate()
    .executeTakeFirst()
  return comment && (await lockOpenReport(db, reportId)) ? comment : undefined
}

const lockOpenReport = async (db: Sql, id: string): Promise<boolean> =>
  (await db
    .selectFrom('reports')
    .where('id', '=', id)
    .where('dismissed_at', 'is', null)
    .select('id')
    .forUpdate()
    .executeTakeFirst()) !== undefined

/**
 * Dismisses a report, and notifies its reporter unless the operator is the reporter.
 *
 * @returns whether it was open
 */
export const dismissReport = async (db: Sql, id: string, operatorId: string, now: Date): Promise<boolean> => {
  const { rows } = await sql<{ id: string }>`
    with dismissed as (
      update reports set dismissed_at = ${now}::timestamptz where id = ${id} and dismissed_at is null returning *
    ), noted as (
      insert into notifications (account_id, kind, at, post_id, comment_id, subject, "text")
      select reporter_id, 'report_dismissed', ${now}::timestamptz, coalesce(dismissed.post_id, comment.post_id),
        dismissed.comment_id, case when dismissed.comment_id is null then 'post' else 'comment' end, reason
      from dismissed left join comments as comment on comment.id = dismissed.comment_id
      where reporter_id <> ${operatorId}
    )
    select id from dismissed`.execute(db)
  return rows.length > 0
}
