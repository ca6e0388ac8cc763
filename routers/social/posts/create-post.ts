import type { z } from 'zod'
import { newId } from '../../../db/id.ts'
import type { Sql } from '../../../db/orm.ts'
import { hasAllPosts } from '../../../db/queries/full.ts'
import { notifyReblogged } from '../../../db/queries/notifications.ts'
import { insertPost } from '../../../db/queries/posts.ts'
import { sendLast } from '../../../db/transaction-connection.ts'
import type { CallersWrites } from '../../access/caller-check.ts'
import { countCreation, throwUnauthorized } from '../../access/credential.ts'
import type { Context } from '../../core/context.ts'
import { requireSpaceFor } from '../../core/limit.ts'
import { contentFrom } from './content.ts'
import { requireRebloggable } from './require-rebloggable.ts'
import type { NewPost } from './schema.ts'
import { toPost } from './to-post.ts'

/** The part of a call's context that is needed to create posts. */
interface Poster extends Pick<Context, 'core'>, Pick<CallersWrites, 'writeAccount'> {
  accountId: string
  handle: string
}

/** Creates a post, published or as a draft, and returns the API's post object. */
export const createPost = async (
  { core, accountId, handle, writeAccount }: Poster,
  fields: z.output<typeof NewPost>,
  { isPublished, keepsMarkdown = false }: { isPublished: boolean; keepsMarkdown?: boolean },
) => {
  await countCreation(core.creations.posts, accountId)
  const content = await contentFrom(fields, { core, accountId }, { keepsMarkdown })
  const now = new Date()
  const row = {
    id: newId(),
    ...content,
    tags: fields.tags,
    published_at: isPublished ? now : null,
    created_at: now,
    updated_at: now,
  }
  await writeAccount(async sql => {
    await requireSpaceForPost(core, sql, accountId, isPublished ? 'published' : 'draft')
    const insert = () => insertPost(sql, { ...row, author_id: accountId })
    const reblogged = isPublished ? await requireRebloggable(core, sql, accountId, content.url) : null
    if (reblogged === null) return sendLast(sql, insert)
    await insert()
    await notifyReblogged(sql, reblogged, row.id, now)
  }).catch(throwUnauthorized)
  return toPost(core.addresses, { ...row, author_handle: handle, like_count: 0, comment_count: 0 })
}

/** Refuses another published post or draft when the account has reached its limit. @throws `limit_reached` */
export const requireSpaceForPost = async (
  { creationLimits }: Context['core'],
  sql: Sql,
  accountId: string,
  state: 'published' | 'draft',
): Promise<void> => {
  const max = creationLimits[state === 'draft' ? 'drafts' : 'posts']
  requireSpaceFor(
    await hasAllPosts(sql, accountId, state, max),
    `An account can have at most ${max} ${state === 'draft' ? 'drafts' : 'published posts'}.`,
  )
}
