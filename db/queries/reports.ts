import type { Insertable } from 'kysely'
import type { Sql, Tables } from '../orm.ts'

/**
 * Inserts a report.
 *
 * @throws a violation of `reports_post_reporter_unique` or `reports_comment_reporter_unique` when the person has reported
 * the same thing before, or of `reports_post_id_foreign` or `reports_comment_id_foreign` when it was deleted
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
      'reporter.handle as reporter_handle',
      'report.reason as reason',
      'report.created_at as created_at',
    ])
    .orderBy('report.created_at')
    .orderBy('report.id')
    .execute()

/**
 * Locks a post and then its open report: the same order as when a post is deleted.
 *
 * @returns the post, or undefined when the report is about a comment, was dismissed, or was deleted with its post
 */
export const lockReportedPost = async (
  db: Sql,
  reportId: string,
): Promise<{ id: string; author_id: string } | undefined> => {
  const post = await db
    .selectFrom('posts')
    .where('id', '=', eb => eb.selectFrom('reports').where('id', '=', reportId).select('post_id'))
    .select(['id', 'author_id'])
    .forUpdate()
    .executeTakeFirst()
  return (await lockOpenReport(db, reportId)) ? post : undefined
}

/**
 * Locks a comment and then its open report: the same order as when a comment is deleted.
 *
 * @returns the comment, or undefined when the report is about a post, was dismissed, or was deleted with its comment
 */
export const lockReportedComment = async (
  db: Sql,
  reportId: string,
): Promise<{ id: string; post_id: string; author_id: string } | undefined> => {
  const comment = await db
    .selectFrom('comments')
    .where('id', '=', eb => eb.selectFrom('reports').where('id', '=', reportId).select('comment_id'))
    .select(['id', 'post_id', 'author_id'])
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
 * Dismisses a report.
 *
 * @returns whether it was open
 */
export const dismissReport = async (db: Sql, id: string, now: Date): Promise<boolean> =>
  (await db
    .updateTable('reports')
    .set({ dismissed_at: now })
    .where('id', '=', id)
    .where('dismissed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()) !== undefined
