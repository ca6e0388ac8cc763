import { z } from 'zod'
import {
  findDiscussedPost,
  findOwnComment,
  listLatestComments,
  setDiscussionClosed,
  storeFormatted,
  updateComment,
} from '../../../db/queries/comments.ts'
import { timestamp } from '../../api/fields.ts'
import { byCreation, pageOf, timeCursor } from '../../api/pages.ts'
import { Problem } from '../../api/problem.ts'
import { shownText } from '../../api/shown-text.ts'
import { signedIn } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { limitPreviews } from '../posts/preview.ts'
import { postId } from '../posts/schema.ts'
import { titleOf } from '../posts/title.ts'
import { createComment, formatComment } from './create-comment.ts'
import { CommentChange, commentId, NewComment } from './schema.ts'

/** Number of comments on one page of the list. */
const PAGE_SIZE = 30

const Discussion = z.object({
  /** The post's title or first words; may be empty. */
  title: z.string(),
  published: z.boolean(),
  /** Whether the author has closed the post for comments. */
  is_closed: z.boolean(),
  comment_count: z.int(),
  comments: z.array(
    z.object({
      id: z.string(),
      author_handle: z.string(),
      /** The display name, or the handle if there is no display name. */
      author_name: z.string(),
      body: z.string(),
      /** The formatted text; null if it is plain text. */
      html: z.string().nullable(),
      is_edited: z.boolean(),
      created_at: timestamp,
    }),
  ),
  /** Null on the last page. */
  next: z.string().nullable(),
})

/**
 * The comment procedures for people who are signed in with a browser: they write comments as Markdown, and manage the
 * comments on their own posts. To delete a comment on their own post, they use `comments.deleteOnOwnPost`.
 */
export const discussions = router({
  /**
   * Returns one of the person's own posts, and a page of the comments on the post, latest comment first. Leaves out
   * comments by people whom the person blocked.
   */
  get: signedIn
    .input(z.strictObject({ post_id: postId, cursor: timeCursor() }))
    .output(Discussion)
    .query(async ({ ctx, input }) => {
      const [post, found] = await Promise.all([
        findDiscussedPost(ctx.sql, ctx.session.accountId, input.post_id),
        listLatestComments(ctx.sql, ctx.session.accountId, input.post_id, input.cursor, PAGE_SIZE + 1),
      ])
      if (!post) throw new Problem('post_not_found')
      const { rows, next } = pageOf(found, PAGE_SIZE, byCreation)
      return {
        title: shownText(titleOf(post)),
        published: post.published_at !== null,
        is_closed: post.is_closed,
        comment_count: post.comment_count ?? 0,
        comments: rows.map(row => ({
          id: row.id,
          author_handle: row.author_handle,
          author_name: row.display_name ?? row.author_handle,
          body: row.body,
          html: row.html,
          is_edited: row.updated_at > row.created_at,
          created_at: row.created_at.toISOString(),
        })),
        next,
      }
    }),

  /**
   * Adds a comment that is written as Markdown. The APIs return the Markdown as the text of the comment
   * (docs/decisions/0017-formatted-comments.md).
   */
  addComment: signedIn
    .meta({ isRefusedWhileSuspended: true })
    .input(NewComment)
    .output(z.object({ id: z.string(), created_at: timestamp }))
    .mutation(async ({ ctx, input }) => {
      const { accountId, handle } = ctx.session
      return createComment({ ...ctx, accountId, handle }, input, body =>
        formatComment(ctx.core, accountId, body),
      )
    }),

  /** Returns one of the person's own comments, to be edited. */
  getComment: signedIn
    .input(z.strictObject({ comment_id: commentId }))
    .output(z.object({ post_id: z.string(), body: z.string(), created_at: timestamp }))
    .query(async ({ ctx, input }) => {
      const found = await findOwnComment(ctx.sql, ctx.session.accountId, input.comment_id)
      if (!found) throw new Problem('comment_not_found')
      return { post_id: found.post_id, body: found.body, created_at: found.created_at.toISOString() }
    }),

  /** Replaces the text of one of the person's own comments by another one in Markdown, also on a closed post. */
  editComment: signedIn
    .meta({ isRefusedWhileSuspended: true })
    .input(CommentChange)
    .output(z.object({ post_id: z.string(), created_at: timestamp }))
    .mutation(async ({ ctx, input: { comment_id, body } }) => {
      const { accountId } = ctx.session
      const html = await formatComment(ctx.core, accountId, body)
      const row = await ctx.transaction(async sql => {
        const changed = await updateComment(sql, accountId, comment_id, body, new Date())
        if (changed) await storeFormatted(sql, { comment_id, source: body, html })
        return changed
      })
      if (!row) throw new Problem('comment_not_found')
      return { post_id: row.post_id, created_at: row.created_at.toISOString() }
    }),

  /** Returns the HTML that a comment would have. A mutation, because the conversion is rate-limited and expensive. */
  previewComment: signedIn
    .input(NewComment.pick({ body: true }))
    .output(z.object({ html: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const { accountId } = ctx.session
      const html = await limitPreviews(ctx.core, accountId, () =>
        formatComment(ctx.core, accountId, input.body),
      )
      return { html }
    }),

  /**
   * Closes one of the person's own posts for comments, or opens it again. Existing comments stay; their authors can
   * still edit and delete them.
   */
  setClosed: signedIn
    .input(z.strictObject({ post_id: postId, is_closed: z.boolean() }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const closedAt = input.is_closed ? new Date() : null
      const isChanged = await ctx.transaction(sql =>
        setDiscussionClosed(sql, ctx.session.accountId, input.post_id, closedAt),
      )
      if (!isChanged) throw new Problem('post_not_found')
    }),
})
