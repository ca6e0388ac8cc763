import { z } from 'zod'
import { countAuthorPosts, findAuthorPost, listAuthorPosts } from '../../../db/queries/author-posts.ts'
import { countDeletedPosts } from '../../../db/queries/post-history.ts'
import { signedIn } from '../../access/signed-in.ts'
import { byCreation, pageOf, timeCursor } from '../../core/pages.ts'
import { Problem } from '../../core/problem.ts'
import { shownText } from '../../core/shown-text.ts'
import { router } from '../../core/trpc.ts'
import { replaceBody } from './author-writes.ts'
import { documentOf } from './document.ts'
import { find } from './find.ts'
import { previewOf } from './preview.ts'
import { Post, PreviewedBody, postId, Revision, toPost } from './schema.ts'
import { titleOf } from './title.ts'

/** Number of posts on one page of the list. */
const PAGE_SIZE = 30

const Listed = Post.extend({
  /** The post's title or first words; may be empty. */
  title: z.string(),
})

const Listing = z.object({
  posts: z.array(Listed),
  /** Null on the last page. */
  next: z.string().nullable(),
  drafts: z.int(),
  published: z.int(),
  /** Number of deleted posts and drafts that can be restored. */
  deleted: z.int(),
})

const Written = Post.extend({
  html: z.string().nullable(),
  /** The Markdown source; null for other formats, and for a post from the API, whose source is not stored. */
  markdown: z.string().nullable(),
  url: z.string().nullable(),
  text: z.string().nullable(),
  /** The document as served, for a post whose source is not stored. */
  document: z.string().nullable(),
})

/** Procedures with which the dashboard lists and edits an author's posts. */
export const writing = router({
  /** Drafts and published posts, newest first. */
  list: signedIn
    .input(
      z.strictObject({
        show: z.enum(['all', 'drafts', 'published']).default('all'),
        cursor: timeCursor(),
      }),
    )
    .output(Listing)
    .query(async ({ ctx, input }) => {
      const { accountId } = ctx.session
      const [found, counts, deleted] = await Promise.all([
        listAuthorPosts(ctx.sql, accountId, {
          filter: input.show,
          after: input.cursor,
          limit: PAGE_SIZE + 1,
        }),
        countAuthorPosts(ctx.sql, accountId),
        countDeletedPosts(ctx.sql, accountId),
      ])
      const { rows, next } = pageOf(found, PAGE_SIZE, byCreation)
      return {
        ...counts,
        deleted,
        posts: rows.map(row => ({ ...toPost(ctx.core.addresses, row), title: shownText(titleOf(row)) })),
        next,
      }
    }),

  find,

  /** A post together with its source as the author wrote it. */
  get: signedIn
    .input(z.strictObject({ post_id: postId }))
    .output(Written)
    .query(async ({ ctx, input }) => {
      const row = await findAuthorPost(ctx.sql, ctx.session.accountId, input.post_id)
      if (!row) throw new Problem('post_not_found')
      const { format, html, markdown, url, text } = row
      const isWithoutSource = format === 'rich' && markdown === null
      return {
        ...toPost(ctx.core.addresses, row),
        html: format === 'html' ? html : null,
        markdown,
        url,
        text,
        document: isWithoutSource ? documentOf(row) : null,
      }
    }),

  /**
   * Replaces the body of a published post; readers see it immediately. Does not find drafts. If `updated_at` is given,
   * fails when the post has been changed since.
   */
  revise: signedIn
    .meta({ isRefusedWhileSuspended: true })
    .input(Revision)
    .output(Post)
    .mutation(({ ctx, input }) => replaceBody(ctx, input, 'published')),

  /** Returns the document that readers would get. It is a mutation because a body can be too long for a URL. */
  preview: signedIn
    .input(PreviewedBody)
    .output(z.object({ document: z.string() }))
    .mutation(async ({ ctx, input }) => ({ document: await previewOf(ctx, ctx.session, input) })),
})
