import { erasePost } from '../../../db/queries/posts.ts'
import { lockReportedPost } from '../../../db/queries/reports.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../core/problem.ts'

interface Operator extends Pick<Context, 'core' | 'reference'> {
  session: { accountId: string }
}

/**
 * Deletes a reported post with its history on behalf of an operator, so that its author cannot restore it. Writes a log
 * line, which is the only record of it.
 *
 * @throws `report_not_found` when the report was dismissed, or deleted with its post
 */
export const takeDown = async ({ core, reference, session }: Operator, reportId: string): Promise<void> => {
  const post = await inTransaction(core.orm, async sql => {
    const reported = await lockReportedPost(sql, reportId)
    if (!reported) throw new Problem('report_not_found')
    await erasePost(sql, reported)
    return reported
  })
  // Use a warning, which is logged even if request logging is off.
  core.log.warn(
    { reference, operator_id: session.accountId, post_id: post.id, author_id: post.author_id },
    'an operator took a reported post down',
  )
}
