import type { Context } from '../../core/context.ts'
import { Problem } from '../../core/problem.ts'
import { contentFrom } from './content.ts'
import { documentOf } from './document.ts'
import type { PostFields } from './schema.ts'

/** Accounts whose previews are being made. One at a time: a text can keep the converter busy for seconds. */
const underWay = new Set<string>()

/**
 * The document that would be delivered for a post, of which nothing is stored.
 *
 * @throws `rate_limited` while another preview of the same account is being made, or after too many of them
 */
export const previewOf = async (
  { core }: Pick<Context, 'core'>,
  { accountId, handle }: { accountId: string; handle: string },
  fields: PostFields,
): Promise<string> => {
  const { refused, reset } = await core.previews.consume(accountId)
  const retryAfter = refused ? reset : underWay.has(accountId) ? 1 : 0
  if (retryAfter > 0)
    throw new Problem('rate_limited', { detail: `Too many previews; wait ${retryAfter} s.`, retryAfter })
  underWay.add(accountId)
  try {
    return documentOf({ ...(await contentFrom(fields, core.markdown)), author_handle: handle })
  } finally {
    underWay.delete(accountId)
  }
}
