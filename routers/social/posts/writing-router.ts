import { z } from 'zod'
import { notifyReblogged } from '../../../db/queries/notifications.ts'
import { countDeletedPosts } from '../../../db/queries/post-history.ts'
import {
  countAuthorPosts,
  deletePost,
  findAuthorPost,
  listAuthorPosts,
  publishPost,
} from '../../../db/queries/posts.ts'
import { authorOf } from '../../api/audit.ts'
import { byCreation, pageOf, timeCursor } from '../../api/pages.ts'
import { Problem } from '../../api/problem.ts'
import { shownText } from '../../api/shown-text.ts'
import { signedIn } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { missedWrite, readPost, replaceBody } from './author-writes.ts'
import { createPost, requireSpaceForPost } from './create-post.ts'
import { documentOf } from './document.ts'
import { previewOf } from './preview.ts'
import { find, findTexts } from './quick-search.ts'
import { requireRebloggable } from './require-rebloggable.ts'
import {
  DraftChange,
  knownUpdatedAt,
  NewPost,
  Post,
  PreviewedBody,
  postId,
  Revision,
  toPost,
} from './schema.ts'
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

/** Procedures with which the dashboard lists and writes an author's posts and drafts. */
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
  findTexts,

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

  /** Creates a draft and stores its Markdown source, so that its author can continue to edit it. */
  createDraft: signedIn
    .input(NewPost)
    .output(Post)
    .mutation(({ ctx, input }) =>
      createPost({ ...ctx, ...ctx.session }, input, { isPublished: false, keepsMarkdown: true }),
    ),

  /**
   * Replaces a draft's body, and its tags if given. Does not find published posts. If `updated_at` is given, fails when
   * the draft has been changed or published since.
   */
  updateDraft: signedIn
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
  deleteDraft: signedIn
    .input(z.strictObject({ post_id: postId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const target = { id: input.post_id, author: authorOf(ctx.session, ctx), state: 'draft' as const }
      const isDeleted = await ctx.transaction(sql => deletePost(sql, target, new Date()))
      if (!isDeleted) throw new Problem('post_not_found')
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
