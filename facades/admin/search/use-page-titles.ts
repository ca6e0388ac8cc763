import { skipToken, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../api.ts'
import { untilComplete } from '../pages/until-complete.ts'

/** How long titles are cached, in ms. To find them, the service has to evaluate the pages. */
const STALE_TIME = 60_000

/** Maximum number of pages to find by title. */
const MAX_FOUND = 6

/**
 * Finds pages of a space by their document titles. Other results do not wait for the titles: until the titles have
 * loaded, or if loading fails, no page has a title.
 *
 * @param subdomain undefined to find nothing
 */
export const usePageTitles = (subdomain: string | undefined) => {
  const { data } = useQuery(
    api.delivery.pageTitles.queryOptions(subdomain === undefined ? skipToken : { subdomain }, {
      staleTime: STALE_TIME,
      ...untilComplete,
    }),
  )
  return useMemo(() => {
    const titled = (data?.pages ?? []).map(page => ({ ...page, lower: page.title.toLowerCase() }))
    const byId = new Map(titled.map(({ id, title }) => [id, title]))
    return {
      titleOf: (id: string): string | undefined => byId.get(id),
      /** Returns the pages whose titles contain all words of `text`. Titles that start with `text` come first. */
      find: (text: string) => {
        const typed = text.toLowerCase()
        const words = typed.split(/\s+/)
        const found = titled.filter(({ lower }) => words.every(word => lower.includes(word)))
        const [first, others] = [true, false].map(isFirst =>
          found.filter(({ lower }) => lower.startsWith(typed) === isFirst),
        )
        return [...first!, ...others!].slice(0, MAX_FOUND)
      },
    }
  }, [data])
}
