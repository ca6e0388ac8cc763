import { hashKey, useSuspenseQuery } from '@tanstack/react-query'
import { api, client, queries } from './api.ts'
import { openKeepers } from './drafts/draft-keeper.ts'
import { removeSent } from './drafts/local-draft.ts'

/** Query options for the signed-in account. */
export const sessionOptions = api.accounts.me.queryOptions(undefined, { staleTime: 60_000 })

/** Returns the signed-in account. Use it only in components inside `Shell`, which requires a session. */
export const useSession = () => useSuspenseQuery(sessionOptions).data

/**
 * Removes all cached data of the account; the next view fetches it again. What the service says to everybody stays, but
 * is fetched again: the sign-in view may be waiting for it, and would wait for a removed query forever.
 */
export const clearCache = () => {
  const entry = hashKey(api.accounts.entry.queryKey())
  queries.removeQueries({ predicate: query => hashKey(query.queryKey) !== entry })
  queries.getMutationCache().clear()
  void queries.invalidateQueries(api.accounts.entry.queryFilter())
}

/** Ends this browser's session. */
export const signOut = async () => {
  // The last chance to send unsaved changes. If the service cannot keep them, they stay in this browser.
  await Promise.allSettled(Array.from(openKeepers, keeper => keeper.flush()))
  await client.sessions.delete.mutate()
  // The next person at this computer must not find them; the service has them.
  removeSent(queries.getQueryData(sessionOptions.queryKey)?.handle)
  clearCache()
}
