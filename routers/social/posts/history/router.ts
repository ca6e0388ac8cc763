import { z } from 'zod'
import type { Sql } from '../../../../db/database.ts'
import {
  findDeletedPost,
  findPostChange,
  listDeletedPosts,
  listPostChanges,
  restoreDeletedPost,
} from '../../../../db/queries/post-history.ts'
import { findAuthorPost, findPost, replacePost } from '../../../../db/queries/posts.ts'
import type { SessionActor } from '../../../api/actor.ts'
import { authorOf, recordEvent } from '../../../api/audit.ts'
import { timestamp } from '../../../api/fields.ts'
import { byPosition, pageOf, positionCursor } from '../../../api/pages.ts'
import { Problem } from '../../../api/problem.ts'
import { shownText } from '../../../api/shown-text.ts'
import { signedIn } from '../../../api/signed-in.ts'
import { router } from '../../../api/trpc.ts'
import { readPost } from '../author-writes.ts'
import { requireSpaceForPost } from '../create-post.ts'
import { requireRebloggable } from '../require-rebloggable.ts'
import { Post, postId } from '../schema.ts'
import { titleOf } from '../title.ts'
import { Change, changeId, toChange, toVersion, Version } from './schema.ts'

/** Number of changes or deleted posts on one page of a list. */
const PAGE_SIZE = 30

const DAY = 24 * 60 * 60_000

/** Records a restore in the account's audit log. */
const recordRestored = (sql: Sql, session: SessionActor) =>
  recordEvent(sql, { accountId: session.accountId }, 'restored', session, {
    cause: 'restore',
    item: { kind: 'post', name: null },
  })

const DeletedPost = z.object({
  id: z.string(),
  /** The id of the deletion in the post's history. */
  change_id: z.string(),
  /** The post's title or first words; may be empty. */
  title: z.string(),
  format: z.enum(['html', 'rich', 'reblog']),
  published: z.boolean(),
  deleted_at: timestamp,
  /** The time until which the post can be restored. */
  kept_until: timestamp,
})

/** Earlier versions of a person's own posts, and deleted posts. Nobody else can see them. */
export const postHistory = router({
  /** Changes of a post, latest first. The post may have been deleted. */
  list: signedIn
    .input(z.strictObject({ post_id: postId, cursor: positionCursor }))
    .output(
      z.object({
        changes: z.array(Change),
        next: z.string().nullable(),
        /** Maximum number of days for which changes are kept. */
        kept_days: z.int(),
      }),
    )
    .query(async ({ ctx: { core, sql, session }, input }) => {
      const found = await listPostChanges(sql, session.accountId, {
        postId: input.post_id,
        before: input.cursor,
        limit: PAGE_SIZE + 1,
      })
      if (found.length === 0 && !(await findAuthorPost(sql, session.accountId, input.post_id)))
        throw new Problem('post_not_found')
      const { rows, next } = pageOf(found, PAGE_SIZE, byPosition)
      return { changes: rows.map(toChange), next, kept_days: core.postHistoryDays }
    }),

  /** A change, the version before it, and the current version, which is null while the post is deleted. */
  get: signedIn
    .input(z.strictObject({ change_id: changeId }))
    .output(z.object({ change: Change, version: Version, current: Version.nullable() }))
    .query(async ({ ctx: { sql, session }, input }) => {
      const row = await findPostChange(sql, session.accountId, input.change_id)
      if (!row) throw new Problem('change_not_found')
      const current = await findAuthorPost(sql, session.accountId, row.post_id)
      return { change: toChange(row), version: toVersion(row), current: current ? toVersion(current) : null }
    }),

  /**
   * Gives a post the content from before a change, as an ordinary write that the history records. Restores the tags
   * only for a draft. Does not find deleted posts.
   *
   * @throws `validation_failed` if that would publish a reblog that the account may not publish
   */
  restore: signedIn
    .meta({ isRefusedWhileSuspended: true })
    .input(z.strictObject({ change_id: changeId }))
    .output(Post)
    .mutation(async ({ ctx, input }) => {
      const { accountId } = ctx.session
      const id = await ctx.writeAccount(async sql => {
        const row = await findPostChange(sql, accountId, input.change_id)
        if (!row) throw new Problem('change_not_found')
        const target = { id: row.post_id, author: authorOf(ctx.session, ctx) }
        const version = toVersion(row)
        const replaced = await replacePost(sql, target, version, new Date(), 'restore')
        if (!replaced) throw new Problem('post_not_found')
        const post = version.url === null ? undefined : await findPost(sql, accountId, row.post_id)
        if (post?.published_at) await requireRebloggable(ctx.core, sql, accountId, version.url, '$')
        if (replaced.isRecorded) await recordRestored(sql, ctx.session)
        return row.post_id
      })
      return readPost(ctx, id)
    }),

  /** The deleted posts that can be restored, last deleted first. */
  deleted: signedIn
    .input(z.strictObject({ cursor: positionCursor }))
    .output(z.object({ posts: z.array(DeletedPost), next: z.string().nullable() }))
    .query(async ({ ctx: { core, sql, session }, input }) => {
      const page = { before: input.cursor, limit: PAGE_SIZE + 1 }
      const found = await listDeletedPosts(sql, session.accountId, page)
      const { rows, next } = pageOf(found, PAGE_SIZE, byPosition)
      return {
        posts: rows.map(row => ({
          id: row.post_id,
          change_id: row.position,
          title: shownText(titleOf(row)),
          format: row.format,
          published: row.published_at !== null,
          deleted_at: row.at.toISOString(),
          kept_until: new Date(row.at.getTime() + core.postHistoryDays * DAY).toISOString(),
        })),
        next,
      }
    }),

  /**
   * Restores a deleted post with its id, address, text, tags, dates and reports. Its likes and comments were deleted
   * with it and don't come back.
   *
   * @throws `validation_failed` for a published reblog that the account may not publish anymore
   */
  restoreDeleted: signedIn
    .meta({ isRefusedWhileSuspended: true })
    .input(z.strictObject({ post_id: postId }))
    .output(Post)
    .mutation(async ({ ctx, input }) => {
      const { accountId } = ctx.session
      await ctx.writeAccount(async sql => {
        const deleted = await findDeletedPost(sql, accountId, input.post_id)
        if (!deleted) throw new Problem('post_not_found')
        await requireSpaceForPost(
          ctx.core,
          sql,
          accountId,
          deleted.published_at === null ? 'draft' : 'published',
        )
        if (deleted.published_at !== null)
          await requireRebloggable(ctx.core, sql, accountId, deleted.url, '$')
        await restoreDeletedPost(sql, accountId, input.post_id)
        await recordRestored(sql, ctx.session)
      })
      return readPost(ctx, input.post_id)
    }),
})
