import type { Insertable } from 'kysely'
import type { Sql, Tables } from '../orm.ts'

/** @throws a violation of `reports_post_reporter_unique`, or of `reports_post_id_foreign` when the post is gone */
export const insertReport = (db: Sql, report: Insertable<Tables['reports']>) =>
  db.insertInto('reports').values(report).execute()

/** Reports that nobody has dismissed, oldest first. */
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
 * Holds the post that an open report is about, and the report with it, until the transaction ends. The post comes
 * first, as when it is deleted, so that nobody who deletes and nobody who dismisses can be waited for in turn.
 *
 * @returns undefined when the report has been dismissed, or is gone with its post
 */
export const lockReported = async (
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

/** Puts a report away. @returns whether it was there */
export const dismissReport = async (db: Sql, id: string, now: Date): Promise<boolean> =>
  (await db
    .updateTable('reports')
    .set({ dismissed_at: now })
    .where('id', '=', id)
    .where('dismissed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()) !== undefined
