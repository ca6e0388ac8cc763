import { deletePost } from '../../../db/queries/posts.ts'
import { lockReportedPost } from '../../../db/queries/reports.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../core/problem.ts'

interface Operator extends Pick<Context, 'core' | 'reference'> {
  session: { accountId: string }
}

/**
 * Deletes a reported post on behalf of those who run the service, and leaves a line in the log, which is all that
 * tells of it afterwards.
 *
 * @throws `report_not_found` when the report has been dismissed, or is gone with its post
 */
export const takeDown = async ({ core, reference, session }: Operator, reportId: string): Promise<void> => {
  const post = await inTransaction(core.orm, async sql => {
    const reported = await lockReportedPost(sql, reportId)
    if (!reported) throw new Problem('report_not_found')
    await deletePost(sql, { id: reported.id, authorId: reported.author_id })
    return reported
  })
  // A warning, so that it is kept where the lines of requests are turned off.
  core.log.warn(
    { reference, operator_id: session.accountId, post_id: post.id, author_id: post.author_id },
    'an operator took a reported post down',
  )
}
