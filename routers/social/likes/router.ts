import { z } from 'zod'
import { countLikes, deleteLike, insertLike } from '../../../db/queries/likes.ts'
import { isBlockedByAuthor } from '../../../db/queries/mutes.ts'
import { canReadPost } from '../../../db/queries/posts.ts'
import { sendLastOf } from '../../../db/transaction.ts'
import { asAccount } from '../../api/as-account.ts'
import { exampleIds } from '../../api/fields.ts'
import { Problem } from '../../api/problem.ts'
import { router } from '../../api/trpc.ts'
import { postId } from '../posts/schema.ts'

const tags = ['Likes']

const LikeState = z
  .object({
    post_id: z.string().meta({ examples: [exampleIds.post] }),
    liked: z.literal(true),
    like_count: z.int().meta({ description: 'How many people like the post', examples: [3] }),
  })
  .meta({ id: 'LikeState' })

export const likes = router({
  add: asAccount('likes')
    .meta({
      isRefusedWhileSuspended: true,
      openapi: {
        operationId: 'likePost',
        method: 'PUT',
        path: '/posts/{post_id}/like',
        tags,
        summary: 'Like a post',
        description: 'Liking a post again changes nothing. A request body is ignored.',
      },
      errors: ['post_not_found'],
    })
    .input(z.strictObject({ post_id: postId }))
    .output(LikeState)
    .mutation(async ({ ctx, input }) => {
      if (!(await canReadPost(ctx.sql, ctx.accountId, input.post_id))) throw new Problem('post_not_found')
      // Why this code: docs/decisions/0016-muted-and-blocked-people.md.
      if (await isBlockedByAuthor(ctx.sql, ctx.accountId, input.post_id))
        throw new Problem('post_not_found', { detail: 'You cannot like this post.' })
      const counted = await ctx.transaction(async sql => {
        await insertLike(sql, input.post_id, ctx.accountId)
        return sendLastOf(sql, () => countLikes(sql, input.post_id))
      })
      return { post_id: input.post_id, liked: true as const, like_count: await counted.result }
    }),

  remove: asAccount('likes')
    .meta({
      openapi: {
        operationId: 'unlikePost',
        method: 'DELETE',
        path: '/posts/{post_id}/like',
        tags,
        summary: 'Unlike a post',
        description: 'Also succeeds if you have not liked the post.',
      },
      status: 204,
      errors: ['post_not_found'],
    })
    .input(z.strictObject({ post_id: postId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      if (!(await canReadPost(ctx.sql, ctx.accountId, input.post_id))) throw new Problem('post_not_found')
      await ctx.statement(sql => deleteLike(sql, input.post_id, ctx.accountId))
    }),
})
