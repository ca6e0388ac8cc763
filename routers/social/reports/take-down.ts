import { eraseComment } from '../../../db/queries/comments.ts'
import { notifyTakenDown } from '../../../db/queries/notifications.ts'
import { erasePost } from '../../../db/queries/posts.ts'
import { lockReportedComment, lockReportedPost } from '../../../db/queries/reports.ts'
import type { CallersWrites } from '../../api/caller-check.ts'
import type { Context } from '../../api/context.ts'
import { lines } from '../../api/fields.ts'
import { Problem } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { shownText } from '../../api/shown-text.ts'
import { titleOf } from '../posts/title.ts'

interface Operator extends Pick<Context, 'core' | 'reference'> {
  session: { accountId: string }
  transaction: CallersWrites['transaction']
}

/**
 * Deletes a reported comment, or a reported post together with its history so that the author cannot restore it.
 * Notifies the author and the reporters, and writes a log line.
 *
 * @param reason shown to the author
 * @throws `report_not_found` when the report was dismissed, or was deleted together with the post or comment
 */
export const takeDown = async (
  { core, reference, session, transaction }: Operator,
  reportId: string,
  reason: string | null,
): Promise<void> => {
  const operator_id = session.accountId
  const taken = await transaction(async sql => {
    const now = new Date()
    const comment = await lockReportedComment(sql, reportId)
    if (comment) {
      const { id: comment_id, post_id, author_id, body } = comment
      await notifyTakenDown(sql, { post_id, comment_id, author_id, operator_id, text: body, reason }, now)
      await eraseComment(sql, comment_id)
      return { what: 'comment', post_id, comment_id, author_id }
    }
    const post = await lockReportedPost(sql, reportId)
    if (!post) throw new Problem('report_not_found')
    const { id: post_id, author_id } = post
    const text = shownText(titleOf(post))
    await notifyTakenDown(sql, { post_id, comment_id: null, author_id, operator_id, text, reason }, now)
    await erasePost(sql, post)
    return { what: 'post', post_id, author_id }
  })
  const { what, ...ids } = taken
  // Use a warning, which is logged even if request logging is off.
  core.log.warn({ reference, operator_id, ...ids }, `an operator took down a reported ${what}`)
}

/** The reason for a report, or for an operator's decision. The affected person can read the reason for a decision. */
export const reason = lines({ min: 1, max: limits.reportReason, tabs: true })
