import { z } from 'zod'
import { countAuthorPosts, findAuthorPost, listAuthorPosts } from '../../../db/queries/author-posts.ts'
import { signedIn } from '../../access/signed-in.ts'
import { invalid, Problem } from '../../core/problem.ts'
import { router } from '../../core/trpc.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { documentOf } from './document.ts'
import { replaceOwn } from './own.ts'
import { previewOf } from './preview.ts'
import { Post, PreviewedBody, postId, Revision } from './schema.ts'
import { shown } from './shown.ts'
import { titleOf } from './title.ts'

/** Posts on one page of the list. */
const PAGE_SIZE = 30

const Listed = Post.extend({
  /** Its title or first words; empty when it has none. */
  title: z.string(),
})

const Listing = z.object({
  posts: z.array(Listed),
  /** Null on the last page. */
  next: z.string().nullable(),
  drafts: z.int(),
  published: z.int(),
})

const Written = Post.extend({
  html: z.string().nullable(),
  /** Null also where it was not kept: the post came through the API. */
  markdown: z.string().nullable(),
  url: z.string().nullable(),
  text: z.string().nullable(),
  /** What is delivered, where nothing is left that it could be made of anew. */
  document: z.string().nullable(),
})

/** One's own posts as their author sees them in the screen. */
export const writing = router({
  /** Drafts and published posts, newest first. */
  list: signedIn
    .input(
      z.strictObject({
        show: z.enum(['all', 'drafts', 'published']).default('all'),
        cursor: z.string().nullish(),
      }),
    )
    .output(Listing)
    .query(async ({ ctx, input }) => {
      const { accountId } = ctx.session
      const after = readCursor(input.cursor ?? null)
      if (after === undefined) throw invalid('cursor', 'leads nowhere')
      const [rows, counts] = await Promise.all([
        listAuthorPosts(ctx.sql, accountId, { filter: input.show, after, limit: PAGE_SIZE + 1 }),
        countAuthorPosts(ctx.sql, accountId),
      ])
      const last = rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1] : undefined
      return {
        ...counts,
        posts: rows
          .slice(0, PAGE_SIZE)
          .map(row => ({ ...shown(ctx.core.addresses, row), title: titleOf(row) })),
        next: last ? writeCursor({ at: last.created_at, position: last.position }) : null,
      }
    }),

  /** A post with what it was written as. */
  get: signedIn
    .input(z.strictObject({ post_id: postId }))
    .output(Written)
    .query(async ({ ctx, input }) => {
      const row = await findAuthorPost(ctx.sql, ctx.session.accountId, input.post_id)
      if (!row) throw new Problem('post_not_found')
      const { format, html, markdown, url, text } = row
      const isLost = format === 'rich' && markdown === null
      return {
        ...shown(ctx.core.addresses, row),
        html: format === 'html' ? html : null,
        markdown,
        url,
        text,
        document: isLost ? documentOf(row) : null,
      }
    }),

  /**
   * Replaces the body of a published post, which readers see at once. A draft is not found here. With `updated_at`,
   * refused when somebody has changed it since.
   */
  revise: signedIn
    .input(Revision)
    .output(Post)
    .mutation(({ ctx, input }) => replaceOwn(ctx, input, 'published')),

  /** The document that readers would get. A mutation only because a query's input is an address, and bodies are long. */
  preview: signedIn
    .input(PreviewedBody)
    .output(z.object({ document: z.string() }))
    .mutation(async ({ ctx, input }) => ({ document: await previewOf(ctx, ctx.session, input) })),
})
