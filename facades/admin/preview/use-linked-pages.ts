import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../api.ts'
import type { LinkedPage } from './LinkedPageBar.tsx'

/**
 * Returns the pages of a space whose editors can be opened from links in a preview; undefined while they load.
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
