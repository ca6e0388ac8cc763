import type { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { findAuthorPost, findPost, replacePost } from '../../../db/queries/posts.ts'
import type { SessionActor } from '../../api/actor.ts'
import { authorOf } from '../../api/audit.ts'
import type { CallersWrites } from '../../api/caller-check.ts'
import type { Context, Core } from '../../api/context.ts'
import { Problem } from '../../api/problem.ts'
import { contentFrom } from './create-post.ts'
import { requireRebloggable } from './require-rebloggable.ts'
import { type DraftChange, toPost } from './schema.ts'

/** The part of a call's context that is needed to write an author's posts. */
export interface Author {
  core: Core
  sql: Sql
  session: SessionActor
  transaction: CallersWrites['transaction']
  agent?: Context['agent']
}

/** Returns an author's post. @throws `post_not_found` */
export const readPost = async ({ core, sql, session }: Author, id: string) => {
  const row = await findPost(sql, session.accountId, id)
  if (!row) throw new Problem('post_not_found')
  return toPost(core.addresses, row)
}

/**
 * Returns the problem to report when a write found no post to change.
 *
 * @param updatedAt the `updated_at` that the request named, if any
 * @returns `post_changed` if the post exists with another `updated_at`, otherwise `post_not_found`
 */
export const missedWrite = async (
  { sql, session }: Author,
  id: string,
  updatedAt: Date | undefined,
): Promise<Problem> => {
  const row = updatedAt && (await findAuthorPost(sql, session.accountId, id))
  return new Problem(
    row && row.updated_at.getTime() !== updatedAt.getTime() ? 'post_changed' : 'post_not_found',
  )
}

/**
 * Replaces the body of an author's post and stores its Markdown source.
 *
 * @param state whether to replace the body of a draft or of a published post; a post in the other state is not found
 * @throws `post_not_found`, `post_changed`, or `validation_failed` for Markdown that takes too long to convert
 */
export const replaceBody = async (
  author: Author,
  { post_id: id, updated_at: updatedAt, tags, ...fields }: z.output<typeof DraftChange>,
  state: 'draft' | 'published',
) => {
  const { core, sql, session } = author
  const content = await contentFrom(fields, { core, accountId: session.accountId }, { keepsMarkdown: true })
  if (state === 'published') await requireRebloggable(core, sql, session.accountId, content.url)
  const target = { id, author: authorOf(session, author), state, updatedAt }
  const replaced = await author.transaction(db =>
    replacePost(db, target, tags ? { ...content, tags } : content, new Date()),
  )
  if (!replaced) throw await missedWrite(author, id, updatedAt)
  return readPost(author, id)
}
