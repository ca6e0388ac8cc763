import { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import {
  deleteComment,
  deleteCommentOnPostOf,
  listComments,
  lockComment,
  updateComment,
} from '../../../db/queries/comments.ts'
import { asAccount } from '../../api/as-account.ts'
import type { CallersWrites } from '../../api/caller-check.ts'
import type { Context } from '../../api/context.ts'
import { byCreation, pageOf, readCursor } from '../../api/pages.ts'
import { requirePreconditionOf } from '../../api/precondition.ts'
import { Problem } from '../../api/problem.ts'
import { userRules } from '../../api/rules.ts'
import { signedIn } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { postId } from '../posts/schema.ts'
import { createComment } from './create-comment.ts'
import { Comment, CommentChange, commentId, NewComment, toComment } from './schema.ts'

const tags = ['Comments']

const after = z
  .string()
  .refine(text => readCursor(text) !== undefined, { error: 'is not from a `Link` header' })
  .meta({ description: 'Where to continue: from the `Link` header of the previous list' })
  .optional()

/** Runs a statement that changes a comment of the caller, after checking the precondition if there is one. */
const changeComment = <T>(
  ctx: Context & CallersWrites & { accountId: string },
  id: string,
  send: (sql: Sql) => Promise<T>,
): Promise<T> =>
  ctx.precondition
    ? ctx.transaction(async sql => {
        await requirePreconditionOf(ctx.precondition, () => lockComment(sql, ctx.accountId, id), 'comment')
        return send(sql)
      })
    : ctx.statement(send)

export const comments = router({
  list: asAccount('comments')
    .meta({
      openapi: {
        operationId: 'listComments',
        method: 'GET',
        path: '/posts/{post_id}/comments',
        tags,
        summary: 'List the comments on a post',
        description: `The first ${userRules.comment.list_max_count} comments, oldest first. If there are more, the \`Link\` header has the address of the next ones: \`<…>; rel="next"\`.`,
      },
      errors: ['post_not_found', 'validation_failed'],
      sendsNext: true,
    })
    .input(z.strictObject({ post_id: postId, after }))
    .output(z.object({ data: z.array(Comment) }).meta({ id: 'CommentList' }))
    .query(async ({ ctx, input }) => {
      const { list_max_count } = userRules.comment
      const cursor = readCursor(input.after ?? null) ?? null
      const found = await listComments(ctx.sql, ctx.accountId, input.post_id, cursor, list_max_count + 1)
      if (!found) throw new Problem('post_not_found')
      const { rows, next } = pageOf(found, list_max_count, byCreation)
      if (next !== null) ctx.onNext?.({ after: next })
      return { data: rows.map(toComment) }
    }),

  create: asAccount('comments')
    .meta({
      isRefusedWhileSuspended: true,
      openapi: {
        operationId: 'createComment',
        method: 'POST',
        path: '/posts/{post_id}/comments',
        tags,
        summary: 'Comment on a post',
        description:
          'A person can comment on the same post any number of times. If the author has closed the post for comments, the response is 422 `validation_failed` with the field `$`.',
      },
      status: 201,
      errors: ['post_not_found'],
    })
    .input(NewComment)
    .output(Comment)
    .mutation(({ ctx, input }) => createComment(ctx, input)),

  update: asAccount('comments')
    .meta({
      isRefusedWhileSuspended: true,
      openapi: {
        operationId: 'updateComment',
        method: 'PATCH',
        path: '/comments/{comment_id}',
        tags,
        summary: 'Replace a comment',
        description: 'Your own comments only. The comment stays on its post.',
      },
      errors: ['comment_not_found'],
      conditional: ['If-Match'],
    })
    .input(CommentChange)
    .output(Comment)
    .mutation(async ({ ctx, input }) => {
      const row = await changeComment(ctx, input.comment_id, sql =>
        updateComment(sql, ctx.accountId, input.comment_id, input.body, new Date()),
      )
      if (!row) throw new Problem('comment_not_found')
      return toComment({ ...row, author_handle: ctx.handle })
    }),

  delete: asAccount('comments')
    .meta({
      openapi: {
        operationId: 'deleteComment',
        method: 'DELETE',
        path: '/comments/{comment_id}',
        tags,
        summary: 'Delete a comment',
        description: 'Your own comments only. This cannot be undone.',
      },
      status: 204,
      errors: ['comment_not_found'],
      conditional: ['If-Match'],
    })
    .input(z.strictObject({ comment_id: commentId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const isDeleted = await changeComment(ctx, input.comment_id, sql =>
        deleteComment(sql, ctx.accountId, input.comment_id),
      )
      if (!isDeleted) throw new Problem('comment_not_found')
    }),

  /** Permanently deletes any comment on one of the caller's posts. */
  deleteOnOwnPost: signedIn
    .input(z.strictObject({ comment_id: commentId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const isDeleted = await ctx.transaction(sql =>
        deleteCommentOnPostOf(sql, ctx.session.accountId, input.comment_id),
      )
      if (!isDeleted) throw new Problem('comment_not_found')
    }),
})
