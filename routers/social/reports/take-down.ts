import { eraseComment } from '../../../db/queries/comments.ts'
import { erasePost } from '../../../db/queries/posts.ts'
import { lockReportedComment, lockReportedPost } from '../../../db/queries/reports.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../core/problem.ts'

interface Operator extends Pick<Context, 'core' | 'reference'> {
  session: { accountId: string }
}

/**
 * Deletes a reported comment, or a reported post with its history, on behalf of an operator, so that its author cannot
 * restore it. Writes a log line, which is the only record of it.
 *
 * @throws `report_not_found` when the report was dismissed, or deleted with what it is about
 */
export const takeDown = async ({ core, reference, session }: Operator, reportId: string): Promise<void> => {
  const taken = await inTransaction(core.orm, async sql => {
    const comment = await lockReportedComment(sql, reportId)
    if (comment) {
      await eraseComment(sql, comment.id)
      return {
        what: 'comment',
        post_id: comment.post_id,
        comment_id: comment.id,
        author_id: comment.author_id,
      }
    }
    const post = await lockReportedPost(sql, reportId)
    if (!post) throw new Problem('report_not_found')
    await erasePost(sql, post)
    return { what: 'post', post_id: post.id, author_id: post.author_id }
  })
  const { what, ...ids } = taken
  // Use a warning, which is logged even if request logging is off.
  core.log.warn(
    { reference, operator_id: session.accountId, ...ids },
    `an operator took a reported ${what} down`,
  )
}
