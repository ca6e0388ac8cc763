import type { Context } from '../../api/context.ts'
import { Problem } from '../../api/problem.ts'
import { contentFrom } from './create-post.ts'
import { documentOf } from './document.ts'
import type { PostFields } from './schema.ts'

/**
 * Accounts with a preview in progress. Each may have only one, because one preview can keep the converter busy for
 * seconds.
 */
const inProgress = new Set<string>()

/** Returns the document that would be served for a post. Stores nothing. @throws what `limitPreviews` throws */
export const previewOf = (
  { core }: Pick<Context, 'core'>,
  { accountId, handle }: { accountId: string; handle: string },
  fields: PostFields,
): Promise<string> =>
  limitPreviews(core, accountId, async () =>
    documentOf({ ...(await contentFrom(fields, { core, accountId })), author_handle: handle }),
  )

/**
 * Runs a preview.
 *
 * @throws `rate_limited` while another preview of the same account is in progress, or after too many previews
 */
export const limitPreviews = async <T>(
  core: Context['core'],
  accountId: string,
  preview: () => Promise<T>,
): Promise<T> => {
  const { refused, reset } = await core.previews.consume(accountId)
  const retryAfter = refused ? reset : inProgress.has(accountId) ? 1 : 0
  if (retryAfter > 0)
    throw new Problem('rate_limited', { detail: `Too many previews; wait ${retryAfter} s.`, retryAfter })
  inProgress.add(accountId)
  try {
    return await preview()
  } finally {
    inProgress.delete(accountId)
  }
}
