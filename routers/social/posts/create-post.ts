import type { z } from 'zod'
import { newId } from '../../../db/id.ts'
import type { Sql } from '../../../db/orm.ts'
import { insertPost } from '../../../db/queries/posts.ts'
import type { Context } from '../../core/context.ts'
import { contentFrom } from './content.ts'
import type { NewPost } from './schema.ts'
import { toPost } from './to-post.ts'

/** Creates a post, published or as a draft, and returns the API's post object. */
export const createPost = async (
  { core, sql, accountId, handle }: Pick<Context, 'core'> & { sql: Sql; accountId: string; handle: string },
  fields: z.output<typeof NewPost>,
  { isPublished, keepsMarkdown = false }: { isPublished: boolean; keepsMarkdown?: boolean },
) => {
  const content = await contentFrom(fields, core.markdown, { keepsMarkdown })
  const now = new Date()
  const row = {
    id: newId(),
    ...content,
    tags: fields.tags,
    published_at: isPublished ? now : null,
    created_at: now,
    updated_at: now,
  }
  await insertPost(sql, { ...row, author_id: accountId })
  return toPost(core.addresses, { ...row, author_handle: handle, like_count: 0, comment_count: 0 })
}
