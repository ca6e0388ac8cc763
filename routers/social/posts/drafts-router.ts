import { z } from 'zod'
import { findAuthorPost } from '../../../db/queries/author-posts.ts'
import { notifyReblogged } from '../../../db/queries/notifications.ts'
import { deletePost, publishPost } from '../../../db/queries/posts.ts'
import { authorOf } from '../../access/audit.ts'
import { signedIn } from '../../access/signed-in.ts'
import { Problem } from '../../core/problem.ts'
import { router } from '../../core/trpc.ts'
import { missedWrite, readPost, replaceBody } from './author-writes.ts'
import { createPost, requireSpaceForPost } from './create-post.ts'
import { requireRebloggable } from './require-rebloggable.ts'
import { DraftChange, knownUpdatedAt, NewPost, Post, postId } from './schema.ts'

/**
 * Procedures that write drafts, which is possible only in the dashboard. The procedures for posts also list and read
 * drafts.
 */
export const drafts = router({
  /** Creates a draft and stores its Markdown source, so that its author can continue to edit it. */
  create: signedIn
    .input(NewPost)
    .output(Post)
    .mutation(({ ctx, input }) =>
      createPost({ ...ctx, ...ctx.session }, input, { isPublished: false, keepsMarkdown: true }),
    ),

  /**
   * Replaces a draft's body, and its tags if given. Does not find published posts. If `updated_at` is given, fails when
   * the draft has been changed or published since.
   */
  update: signedIn
    .input(DraftChange)
    .output(Post)
    .mutation(({ ctx, input }) => replaceBody(ctx, input, 'draft')),

  /**
   * Publishes a draft; does nothing for a published post. If `updated_at` is given, fails when the draft has been
   * changed since.
   */
  publish: signedIn
    .meta({ isRefusedWhileSuspended: true })
    .input(z.strictObject({ post_id: postId, updated_at: knownUpdatedAt }))
    .output(Post)
    .mutation(async ({ ctx, input }) => {
      const { accountId } = ctx.session
      const target = { id: input.post_id, author: authorOf(ctx.session, ctx), updatedAt: input.updated_at }
      const isPublished = await ctx.writeAccount(async sql => {
        const post = await findAuthorPost(sql, accountId, input.post_id)
        if (post?.published_at === null) await requireSpaceForPost(ctx.core, sql, accountId, 'published')
        const now = new Date()
        const published = await publishPost(sql, target, now)
        const reblogged =
          published && (await requireRebloggable(ctx.core, sql, accountId, published.url, '$'))
        if (reblogged) await notifyReblogged(sql, reblogged, input.post_id, now)
        return published !== undefined
      })
      if (!isPublished) throw await missedWrite(ctx, input.post_id, input.updated_at)
      return readPost(ctx, input.post_id)
    }),

  /** Deletes a draft. A published post is refused with `post_not_found`. */
  delete: signedIn
    .input(z.strictObject({ post_id: postId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const target = { id: input.post_id, author: authorOf(ctx.session, ctx), state: 'draft' as const }
      const isDeleted = await ctx.transaction(sql => deletePost(sql, target, new Date()))
      if (!isDeleted) throw new Problem('post_not_found')
    }),
})
