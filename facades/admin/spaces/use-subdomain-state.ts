import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { limits } from '../../../routers/core/rules.ts'
import { api } from '../api.ts'

/** Milliseconds without typing before it is asked whether a subdomain can be had. */
const PAUSE = 300
const PATTERN = new RegExp(limits.subdomain)

/** How it stands with a subdomain that is being typed; null while that is not known. */
export type SubdomainState = 'free' | 'taken' | 'reserved' | 'malformed' | null

/** Asks while somebody types whether the subdomain can be had. */
export const useSubdomainState = (typed: string): SubdomainState => {
  const [asked] = useDebouncedValue(typed, PAUSE)
  const isWellFormed = PATTERN.test(asked)
  const { data } = useQuery({
    ...api.spaces.consider.queryOptions({ subdomain: asked }),
    enabled: isWellFormed,
    // What was free a while ago may not be now.
    gcTime: 0,
    retry: false,
  })
  if (asked !== typed || asked === '') return null
  return isWellFormed ? (data ?? null) : 'malformed'
}
