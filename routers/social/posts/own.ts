import type { z } from 'zod'
import type { Sql } from '../../../db/orm.ts'
import { findAuthorPost } from '../../../db/queries/author-posts.ts'
import { findPost, replacePost } from '../../../db/queries/posts.ts'
import type { Core } from '../../core/context.ts'
import { Problem } from '../../core/problem.ts'
import { contentFrom } from './content.ts'
import type { DraftChange } from './schema.ts'
import { shown } from './shown.ts'

/** What writes of one's own posts need to know. */
export interface Author {
  core: Core
  sql: Sql
  session: { accountId: string }
}

/** A post of one's own as it is now. @throws `post_not_found` */
export const current = async ({ core, sql, session }: Author, id: string) => {
  const row = await findPost(sql, session.accountId, id)
  if (!row) throw new Problem('post_not_found')
  return shown(core.addresses, row)
}

/**
 * Why a write has found no post to change.
 *
 * @param updatedAt when it was changed last as far as the writer knew
 * @returns `post_changed` for one that is there and has been changed since, otherwise `post_not_found`
 */
export const whyUntouched = async (
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
 * Gives a post of one's own another body, and keeps the Markdown it is made of.
 *
 * @param state which posts are found
 * @throws `post_not_found`, `post_changed`, or `validation_failed` where the Markdown takes too long to convert
 */
export const replaceOwn = async (
  author: Author,
  { post_id: id, updated_at: updatedAt, tags, ...fields }: z.output<typeof DraftChange>,
  state: 'draft' | 'published',
) => {
  const { core, sql, session } = author
  const content = await contentFrom(fields, core.markdown, { keepsMarkdown: true })
  const own = { id, authorId: session.accountId, state, updatedAt }
  if (!(await replacePost(sql, own, tags ? { ...content, tags } : content, new Date())))
    throw await whyUntouched(author, id, updatedAt)
  return current(author, id)
}
