import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { limits } from '../../../routers/api/rules.ts'
import { api } from '../api.ts'

/** How long to wait after the last keystroke before checking, in ms. */
const DEBOUNCE = 300
const PATTERN = new RegExp(limits.subdomain)

/** Whether a subdomain is available; null while that is unknown. */
export type SubdomainState = 'free' | 'taken' | 'reserved' | 'malformed' | null

/** Checks whether the typed subdomain is available. */
export const useSubdomainState = (typed: string): SubdomainState => {
  const [debounced] = useDebouncedValue(typed, DEBOUNCE)
  const isWellFormed = PATTERN.test(debounced)
  const { data } = useQuery({
    ...api.spaces.consider.queryOptions({ subdomain: debounced }),
    enabled: isWellFormed,
    // Never reuse an old result: the subdomain may be taken by now.
    gcTime: 0,
    retry: false,
  })
  if (debounced !== typed || debounced === '') return null
  return isWellFormed ? (data ?? null) : 'malformed'
}
