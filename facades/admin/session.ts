import { useSuspenseQuery } from '@tanstack/react-query'
import { api, client, queries } from './api.ts'
import { removeSent } from './drafts/local-draft.ts'

/** Query options for the signed-in account. */
export const sessionOptions = api.accounts.me.queryOptions(undefined, { staleTime: 60_000 })

/** Returns the signed-in account. Use it only in components inside `Shell`, which requires a session. */
export const useSession = () => useSuspenseQuery(sessionOptions).data

/** Clears all cached data of the account; the next view refetches. */
export const clearCache = () => {
  queries.clear()
}

/** Ends this browser's session. */
export const signOut = async () => {
  await client.sessions.delete.mutate()
  // The next person at this computer must not find them; the service has them.
  removeSent(queries.getQueryData(sessionOptions.queryKey)?.handle)
  clearCache()
}
