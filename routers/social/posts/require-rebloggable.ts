import type { Sql } from '../../../db/database.ts'
import { ID_PATTERN } from '../../../db/id.ts'
import { isBlockedByAuthor } from '../../../db/queries/mutes.ts'
import type { Addresses } from '../../api/addresses.ts'
import type { Core } from '../../api/context.ts'
import { invalid } from '../../api/problem.ts'

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

/**
 * Returns the id of the post that a reblog's link leads to: the link is the post's own address, or its page on the main
 * site.
 *
 * @returns null for any other link
 */
export const rebloggedPost = (addresses: Addresses, link: string | null): string | null => {
  if (link === null || !URL.canParse(link)) return null
  const { host, pathname } = new URL(link)
  const [label = ''] = host.split('.', 1)
  // Check the label first. If it is not an id but, for example, `localhost:3000`, the address of the post could be
  // malformed, and `new URL` would throw.
  if (ID_PATTERN.test(label) && host === new URL(addresses.post(label)).host) return label
  const pages = new URL(addresses.postPage(''))
  const isPage = host === pages.host && pathname.startsWith(pages.pathname)
  const id = isPage ? pathname.slice(pages.pathname.length) : ''
  return ID_PATTERN.test(id) ? id : null
}
