import type { FoundLine } from './use-found-texts.ts'

/** Where a line that a search found is edited, with the place. */
export const lineLink = (subdomain: string, { kind, id, in: field, offset }: FoundLine) => {
  const at = String(offset)
  if (kind === 'page')
    return {
      to: '/spaces/$subdomain/pages/$pageId',
      params: { subdomain, pageId: id },
      search: { at },
    } as const
  if (kind === 'part')
    return {
      to: '/spaces/$subdomain/parts/$partId',
      params: { subdomain, partId: id },
      search: { at },
    } as const
  return {
    to: '/spaces/$subdomain/data/$key',
    params: { subdomain, key: id },
    search: field === 'value' ? { at } : {},
  } as const
}
