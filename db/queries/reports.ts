import type { Insertable } from 'kysely'
import type { Sql, Tables } from '../orm.ts'

/**
 * Inserts a report.
 *
 * @throws a violation of `reports_post_reporter_unique` when the person has reported the post before, or of
 * `reports_post_id_foreign` when the post was deleted
 */
export const insertReport = (db: Sql, report: Insertable<Tables['reports']>) =>
  db.insertInto('reports').values(report).execute()

/** Open reports, oldest first. */
export const listReports = (db: Sql) =>
  db
    .selectFrom('reports as report')
    .innerJoin('posts as post', 'post.id', 'report.post_id')
    .innerJoin('accounts as author', 'author.id', 'post.author_id')
    .leftJoin('accounts as reporter', 'reporter.id', 'report.reporter_id')
    .where('report.dismissed_at', 'is', null)
    .select([
      'report.id as id',
      'report.post_id as post_id',
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
 * @returns the post, or undefined when the report was dismissed or deleted with its post
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
  const open = await db
    .selectFrom('reports')
    .where('id', '=', reportId)
    .where('dismissed_at', 'is', null)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  return open && post
}

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
