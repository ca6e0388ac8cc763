import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../api.ts'
import type { LinkedPage } from './LinkedPageBar.tsx'

/**
 * Returns the pages of a space; undefined while the pages load. If a person clicks a link in a preview, and the link
 * leads to one of these pages, the preview offers to edit this page.
 *
 * @param current id of the page being edited, which is left out; null for a new page or a part
 */
export const useLinkedPages = (
  subdomain: string,
  current: string | null,
): readonly LinkedPage[] | undefined => {
  const { data, isError } = useQuery(api.pages.list.queryOptions({ subdomain }))
  return useMemo(() => {
    if (!data) return isError ? [] : undefined
    return data.data.filter(({ id }) => id !== current).map(({ id, slug }) => ({ id, slug, subdomain }))
  }, [data, isError, current, subdomain])
}
