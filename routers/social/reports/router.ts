import { z } from 'zod'
import { newId } from '../../../db/id.ts'
import { findCommentedPost } from '../../../db/queries/comments.ts'
import { isPublished } from '../../../db/queries/posts.ts'
import { dismissReport, insertReport, listReports } from '../../../db/queries/reports.ts'
import { id, timestamp } from '../../api/fields.ts'
import { Problem } from '../../api/problem.ts'
import { asOperator, signedIn } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { commentId } from '../comments/schema.ts'
import { postId } from '../posts/schema.ts'
import { reason, takeDown } from './take-down.ts'

const Report = z.object({
  id: z.string(),
  post_id: z.string(),
  post_url: z.string(),
  /** The reported comment; null if the post itself was reported. */
  comment: z
    .object({
      id: z.string(),
      body: z.string(),
      /** The formatted comment; null if the comment is plain text. */
      html: z.string().nullable(),
    })
    .nullable(),
  /** The author of the reported post or comment. */
  author_handle: z.string(),
  author_is_suspended: z.boolean(),
  /** Null after the account was deleted. */
  reporter_handle: z.string().nullable(),
  reason: z.string(),
  created_at: timestamp,
})

export const reports = router({
  /** Reports a published post to the operators; one report per person and post. */
  create: signedIn
    .meta({ isRefusedWhileSuspended: true })
    .input(z.strictObject({ post_id: postId, reason }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      if (!(await isPublished(ctx.sql, input.post_id))) throw new Problem('post_not_found')
      const report = { ...input, reporter_id: ctx.session.accountId, created_at: new Date() }
      await ctx.transaction(sql => insertReport(sql, { id: newId(), ...report }))
    }),

  /** Reports a comment on a published post to the operators; one report per person and comment. */
  createForComment: signedIn
    .meta({ isRefusedWhileSuspended: true })
    .input(z.strictObject({ comment_id: commentId, reason }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      if (!(await findCommentedPost(ctx.sql, input.comment_id))) throw new Problem('comment_not_found')
      const report = { ...input, reporter_id: ctx.session.accountId, created_at: new Date() }
      await ctx.transaction(sql => insertReport(sql, { id: newId(), ...report }))
    }),

  /** Open reports, oldest first. */
  list: asOperator
    .input(z.strictObject({}).optional())
    .output(z.array(Report))
    .query(async ({ ctx }) => {
      const rows = await listReports(ctx.sql)
      return rows.map(({ comment_id, comment_body, html, ...row }) => ({
        ...row,
        comment:
          comment_id === null || comment_body === null ? null : { id: comment_id, body: comment_body, html },
        post_url: ctx.core.addresses.post(row.post_id),
        created_at: row.created_at.toISOString(),
      }))
    }),

  /** Dismisses a report and notifies its reporter, who cannot report the same post or comment again. */
  dismiss: asOperator
    .input(z.strictObject({ report_id: id('report') }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const isDismissed = await ctx.transaction(sql =>
        dismissReport(sql, input.report_id, ctx.session.accountId, new Date()),
      )
      if (!isDismissed) throw new Problem('report_not_found')
    }),

  /**
   * Permanently deletes what an open report is about: a post with its likes, comments and reports, or a comment
   * with its reports. Notifies everyone with an open report about it. Notifies the author too, who sees the reason
   * of the operator. If two operators decide about a report at the same time, one succeeds and the other gets
   * `report_not_found`.
   */
  takeDown: asOperator
    .input(z.strictObject({ report_id: id('report'), reason: reason.optional() }))
    .output(z.void())
    .mutation(({ ctx, input }) => takeDown(ctx, input.report_id, input.reason ?? null)),
})
