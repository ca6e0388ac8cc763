import { ID_PATTERN } from '../../../db/id.ts'
import type { Addresses } from '../../core/addresses.ts'

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
