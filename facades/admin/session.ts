import { hashKey, useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, queryClient, rpc } from './api.ts'
import { notifyFailure } from './ui/notify.ts'
import { withdrawUndo } from './ui/offer-undo.tsx'
import { openKeepers } from './unsaved/draft-keeper.ts'
import { removeSent } from './unsaved/local-draft.ts'

/** Query options for the signed-in account. */
export const sessionOptions = api.accounts.me.queryOptions(undefined, { staleTime: 60_000 })

/** Returns the signed-in account. Use it only in components inside `Shell`, which requires a session. */
export const useSession = () => useSuspenseQuery(sessionOptions).data

/**
 * Removes all cached data of the account, and closes the notifications that offer an undo. The next view fetches
 * what it needs. `accounts.entry` does not depend on the account, so it is refetched instead of removed: the
 * sign-in view may be waiting for it, and would wait for a removed query forever.
 */
export const clearCache = () => {
  const entry = hashKey(api.accounts.entry.queryKey())
  queryClient.removeQueries({ predicate: query => hashKey(query.queryKey) !== entry })
  queryClient.getMutationCache().clear()
  withdrawUndo()
  void queryClient.invalidateQueries(api.accounts.entry.queryFilter())
}

/** Ends this browser's session. */
export const signOut = async () => {
  // This is the last chance to send unsaved changes. If the service can't keep them, they stay in this browser.
  await Promise.allSettled(Array.from(openKeepers, keeper => keeper.flush()))
  await rpc.sessions.delete.mutate()
  // Remove the drafts in this browser that the service has too, so that the next person at this computer can't find
  // them.
  removeSent(queryClient.getQueryData(sessionOptions.queryKey)?.handle)
  clearCache()
}

/** Returns the mutation that signs out and opens the sign-in view. */
export const useSignOut = () => {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: signOut,
    // Don't ask about unsaved changes: the session has already ended, and the drafts are kept.
    onSuccess: () => navigate({ to: '/sign-in', replace: true, ignoreBlocker: true }),
    onError: notifyFailure,
  })
}
