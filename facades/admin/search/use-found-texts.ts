import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { limits } from '../../../routers/api/rules.ts'
import { api, type Outputs } from '../api.ts'

/** How long after the last change texts are searched, in ms; longer than for names, because this reads all texts. */
const DEBOUNCE = 250

/** Whether texts are searched for a text. The service counts characters, not UTF-16 units. */
const isSearched = (text: string) => text.length <= limits.searchText && Array.from(text).length >= 2

export type FoundLine = Outputs['spaces']['findTexts']['lines'][number]

/** The text to search for, which follows what is typed; and whether the results for what is typed are still to come. */
const useSearchedText = (typed: string) => {
  const [debounced] = useDebouncedValue(typed, DEBOUNCE)
  const isWanted = isSearched(typed)
  const text = isWanted && isSearched(debounced) ? debounced : null
  const stateOf = <Query extends { data: unknown; isFetching: boolean; isPlaceholderData: boolean }>(
    query: Query,
  ) => ({
    ...query,
    /** The results; those of the text before until the new ones arrive. */
    data: text === null ? undefined : (query.data as Query['data']),
    isBusy:
      isWanted &&
      (text !== typed || query.isPlaceholderData || (query.data === undefined && query.isFetching)),
  })
  return { text, stateOf }
}

/**
 * Finds lines of pages, parts and records of a space.
 *
 * @param typed the typed text, trimmed
 * @param subdomain undefined to find nothing
 * @param kind the kind of items; by default, all
 */
export const useFoundLines = (typed: string, subdomain: string | undefined, kind?: FoundLine['kind']) => {
  const { text, stateOf } = useSearchedText(subdomain === undefined ? '' : typed)
  const input =
    subdomain === undefined || text === null ? skipToken : { subdomain, text, ...(kind && { kind }) }
  return stateOf(useQuery(api.spaces.findTexts.queryOptions(input, { placeholderData: keepPreviousData })))
}

/** Finds the person's posts by their text. */
export const useFoundPosts = (typed: string) => {
  const { text, stateOf } = useSearchedText(typed)
  return stateOf(
    useQuery(
      api.writing.findTexts.queryOptions(text === null ? skipToken : { text }, {
        placeholderData: keepPreviousData,
      }),
    ),
  )
}
