import type { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { hasAllPosts } from '../../../db/queries/full.ts'
import { notifyReblogged } from '../../../db/queries/notifications.ts'
import { insertPost, type PostContent } from '../../../db/queries/posts.ts'
import { sendLast } from '../../../db/transaction.ts'
import type { CallersWrites } from '../../api/caller-check.ts'
import type { Context, Core } from '../../api/context.ts'
import { countCreation, throwUnauthorized } from '../../api/credential.ts'
import { invalid, refuseIfFull } from '../../api/problem.ts'
import { keepAnswer } from '../../api/safe-retries.ts'
import { requireRebloggable } from './require-rebloggable.ts'
import { type NewPost, type PostFields, toPost } from './schema.ts'

/** The part of a call's context that is needed to create posts. */
interface Poster extends Pick<Context, 'core' | 'keyed'>, Pick<CallersWrites, 'writeAccount'> {
  accountId: string
  handle: string
}

/** Creates a post, published or as a draft, and returns the API's post object. */
export const createPost = async (
  { core, accountId, handle, writeAccount, keyed }: Poster,
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
  const created = () =>
    toPost(core.addresses, { ...row, author_handle: handle, like_count: 0, comment_count: 0 })
  await writeAccount(async sql => {
    await requireSpaceForPost(core, sql, accountId, isPublished ? 'published' : 'draft')
    const insert = () => insertPost(sql, { ...row, author_id: accountId })
    const reblogged = isPublished ? await requireRebloggable(core, sql, accountId, content.url) : null
    if (reblogged === null) sendLast(sql, insert)
    else {
      await insert()
      await notifyReblogged(sql, reblogged, row.id, now)
    }
    keepAnswer({ keyed }, sql, created)
  }).catch(throwUnauthorized)
  return created()
}

/** Refuses another published post or draft when the account has reached its limit. @throws `limit_reached` */
export const requireSpaceForPost = async (
  { creationLimits }: Context['core'],
  sql: Sql,
  accountId: string,
  state: 'published' | 'draft',
): Promise<void> => {
  const max = creationLimits[state === 'draft' ? 'drafts' : 'posts']
  refuseIfFull(
    await hasAllPosts(sql, accountId, state, max),
    `An account can have at most ${max} ${state === 'draft' ? 'drafts' : 'published posts'}.`,
  )
}

/**
 * Converts a post's fields to the content to store. Markdown is converted to HTML, and normally only the HTML is stored
 * (contract: "Post body", rule 2). If `keepsMarkdown` is set, the Markdown is stored too, so that the author can edit
 * the post in the dashboard. No API returns the Markdown.
 *
 * @throws `validation_failed` if converting `markdown` takes too long, and the errors of `MarkdownConverter.convert`
 */
export const contentFrom = async (
  { format, html, markdown, url, text }: PostFields,
  { core, accountId }: { core: Pick<Core, 'markdown'>; accountId: string },
  { keepsMarkdown = false } = {},
): Promise<PostContent> => {
  if (format === 'html') return { format, html: html!, markdown: null, url: null, text: null }
  if (format === 'reblog') return { format, html: null, markdown: null, url: url!, text: text || null }
  const converted = await core.markdown.convert(markdown!, accountId)
  if (converted === null) throw invalid('markdown', 'takes too long to convert; make it shorter or simpler')
  return {
    format: 'rich',
    html: converted,
    markdown: keepsMarkdown ? markdown! : null,
    url: null,
    text: null,
  }
}
