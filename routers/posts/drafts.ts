import { z } from 'zod'
import type { Sql } from '../../db/orm.ts'
import { deletePost, findPost, publishPost, replacePost } from '../../db/queries/posts.ts'
import { signedIn } from '../access/signed-in.ts'
import type { Addresses } from '../addresses.ts'
import { Problem } from '../problem.ts'
import { router } from '../trpc.ts'
import { contentFrom } from './content.ts'
import { makePost } from './make.ts'
import { DraftChange, NewPost, Post, postId } from './schema.ts'
import { shown } from './shown.ts'

/** A post of one's own as it is now. */
const current = async (sql: Sql, addresses: Addresses, accountId: string, id: string) => {
  const row = await findPost(sql, accountId, id)
  if (!row) throw new Problem('post_not_found')
  return shown(addresses, row)
}

/** What only a person at the screen does: posts that nobody else sees yet. They are read and listed as posts. */
export const drafts = router({
  create: signedIn
    .input(NewPost)
    .output(Post)
    .mutation(({ ctx, input }) => makePost({ ...ctx, ...ctx.session }, input, { isPublished: false })),

  /** Replaces a draft's body, and its tags where they are given. A published post is not found here. */
  update: signedIn
    .input(DraftChange)
    .output(Post)
    .mutation(async ({ ctx, input }) => {
      const { accountId } = ctx.session
      const own = { id: input.post_id, authorId: accountId, onlyDraft: true }
      const content = await contentFrom(input, ctx.core.markdown)
      const change = input.tags ? { ...content, tags: input.tags } : content
      if (!(await replacePost(ctx.sql, own, change, new Date()))) throw new Problem('post_not_found')
      return current(ctx.sql, ctx.core.addresses, accountId, input.post_id)
    }),

  /** Puts a draft on the timeline. Once more changes nothing. */
  publish: signedIn
    .input(z.strictObject({ post_id: postId }))
    .output(Post)
    .mutation(async ({ ctx, input }) => {
      const { accountId } = ctx.session
      const own = { id: input.post_id, authorId: accountId }
      if (!(await publishPost(ctx.sql, own, new Date()))) throw new Problem('post_not_found')
      return current(ctx.sql, ctx.core.addresses, accountId, input.post_id)
    }),

  /** Deletes a draft for good. A published post is not found here. */
  delete: signedIn
    .input(z.strictObject({ post_id: postId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const own = { id: input.post_id, authorId: ctx.session.accountId, onlyDraft: true }
      if (!(await deletePost(ctx.sql, own))) throw new Problem('post_not_found')
    }),
})
