import { useQuery } from '@tanstack/react-query'
import { rpc } from '../api.ts'
import type { Lines } from './ChangeRow.tsx'
import type { Change } from './describe.ts'

/** Maximum number of changes in one call. */
const MOST = 50

/** Returns how many lines changes have added and removed, by their ids. They load after the list. */
export const useLines = (subdomain: string, changes: readonly Change[]): ReadonlyMap<string, Lines> => {
  const ids = changes
    .filter(({ kind, action }) => action === 'change' && ['page', 'part', 'record'].includes(kind))
    .map(({ id }) => id)
  const { data } = useQuery({
    queryKey: ['lines of changes', subdomain, ids],
    queryFn: async ({ signal }) => {
      const calls = []
      for (let from = 0; from < ids.length; from += MOST)
        calls.push(rpc.history.lines.query({ subdomain, changes: ids.slice(from, from + MOST) }, { signal }))
      return new Map((await Promise.all(calls)).flat().map(lines => [lines.id, lines]))
    },
    enabled: ids.length > 0,
    // What a change has done never changes.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: before => before,
  })
  return data ?? NONE
}

const NONE: ReadonlyMap<string, Lines> = new Map()
