import type { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { findDiscussion, insertComment, storeFormatted } from '../../../db/queries/comments.ts'
import type { CallersWrites } from '../../api/caller-check.ts'
import type { Context, Core } from '../../api/context.ts'
import { countCreation } from '../../api/credential.ts'
import { invalid, Problem } from '../../api/problem.ts'
import { type NewComment, toComment } from './schema.ts'

/** The part of a call's context that is needed to write comments. */
interface Commenter
  extends Pick<Context, 'core' | 'keyed'>,
    Pick<CallersWrites, 'statement' | 'transaction'> {
  sql: Sql
  accountId: string
  handle: string
}

/**
 * Adds a comment to a post that the account can see, and returns the API's comment object.
 *
 * @param format converts a body in Markdown to HTML; absent for a comment in plain text
 * @throws `post_not_found`, `validation_failed` if the account can't comment on the post, `rate_limited`
 */
export const createComment = async (
  { core, sql, accountId, handle, statement, transaction, keyed }: Commenter,
  input: z.output<typeof NewComment>,
  format?: (body: string) => Promise<string>,
) => {
  const discussion = await findDiscussion(sql, accountId, input.post_id)
  if (!discussion) throw new Problem('post_not_found')
  // The contract has no error codes for a closed post or a blocked reader. Both cases use `validation_failed`, for the
  // reasons in docs/decisions/0013-closed-posts.md and 0016-muted-and-blocked-people.md.
  if (discussion.is_closed)
    throw invalid('$', 'cannot be added, because the author has closed this post for comments')
  if (discussion.has_blocked_reader) throw invalid('$', 'cannot be added to this post')
  await countCreation(core.creations.comments, accountId)
  const html = await format?.(input.body)
  const now = new Date()
  const row = { id: newId(), post_id: input.post_id, body: input.body, created_at: now, updated_at: now }
  const insert = (db: Sql) => insertComment(db, { ...row, author_id: accountId })
  const created = toComment({ ...row, author_handle: handle })
  if (html === undefined)
    await statement(db => (keyed ? Promise.all([insert(db), keyed.keep(db, created)]) : insert(db)))
  else
    await transaction(async db => {
      await insert(db)
      await storeFormatted(db, { comment_id: row.id, source: row.body, html })
    })
  return created
}

/**
 * Converts the Markdown of a comment to HTML, on another thread.
 *
 * @throws `validation_failed` if the conversion takes too long, and what the converter throws
 */
export const formatComment = async (
  { markdown }: Pick<Core, 'markdown'>,
  accountId: string,
  body: string,
): Promise<string> => {
  const html = await markdown.convert(body, accountId, 'comment')
  if (html === null) throw invalid('body', 'takes too long to format; make it simpler')
  return html
}
