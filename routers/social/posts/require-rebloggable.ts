import type { Sql } from '../../../db/orm.ts'
import { isBlockedByAuthor } from '../../../db/queries/mutes.ts'
import type { Core } from '../../core/context.ts'
import { invalid } from '../../core/problem.ts'
import { rebloggedPost } from '../notifications/reblogged-post.ts'

/**
 * Refuses a reblog of a post whose author has blocked the account.
 *
 * @param link the link of the reblog; null if the post has another format
 * @param field the input field that the error refers to; `$` if the input has no link, only the id of a stored post or
 * change
 * @returns the id of the post that the link reblogs, or null
 * @throws `validation_failed` (docs/decisions/0016-muted-and-blocked-people.md)
 */
export const requireRebloggable = async (
  { addresses }: Pick<Core, 'addresses'>,
  sql: Sql,
  accountId: string,
  link: string | null,
  field = 'url',
): Promise<string | null> => {
  const id = rebloggedPost(addresses, link)
  if (id !== null && (await isBlockedByAuthor(sql, accountId, id)))
    throw invalid(
      field,
      field === '$'
        ? 'must not link to a post that you cannot reblog'
        : 'is the address of a post that you cannot reblog',
    )
  return id
}
