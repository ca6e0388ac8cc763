import { z } from 'zod'
import { deletePost, publishPost } from '../../../db/queries/posts.ts'
import { signedIn } from '../../access/signed-in.ts'
import { Problem } from '../../core/problem.ts'
import { router } from '../../core/trpc.ts'
import { makePost } from './make.ts'
import { current, replaceOwn, whyUntouched } from './own.ts'
import { DraftChange, knownAs, NewPost, Post, postId } from './schema.ts'

/** What only a person at the screen does: posts that nobody else sees yet. They are read and listed as posts. */
export const drafts = router({
  /** Makes a draft and keeps the Markdown it is written in, so that its author can go on with it. */
  create: signedIn
    .input(NewPost)
    .output(Post)
    .mutation(({ ctx, input }) =>
      makePost({ ...ctx, ...ctx.session }, input, { isPublished: false, keepsMarkdown: true }),
    ),

  /**
   * Replaces a draft's body, and its tags where they are given. A published post is not found here. With
   * `updated_at`, refused when somebody has changed or published it since.
   */
  update: signedIn
    .input(DraftChange)
    .output(Post)
    .mutation(({ ctx, input }) => replaceOwn(ctx, input, 'draft')),

  /** Puts a draft on the timeline. Once more changes nothing. With `updated_at`, only as it was then. */
  publish: signedIn
    .input(z.strictObject({ post_id: postId, updated_at: knownAs }))
    .output(Post)
    .mutation(async ({ ctx, input }) => {
      const own = { id: input.post_id, authorId: ctx.session.accountId, updatedAt: input.updated_at }
      if (!(await publishPost(ctx.sql, own, new Date())))
        throw await whyUntouched(ctx, input.post_id, input.updated_at)
      return current(ctx, input.post_id)
    }),

  /** Deletes a draft for good. A published post is not found here. */
  delete: signedIn
    .input(z.strictObject({ post_id: postId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const own = { id: input.post_id, authorId: ctx.session.accountId, state: 'draft' as const }
      if (!(await deletePost(ctx.sql, own))) throw new Problem('post_not_found')
    }),
})
