import { useSuspenseQuery } from '@tanstack/react-query'
import { api, client, queries } from './api.ts'

/** Who is signed in, as the views below the shell know it. */
export const sessionOptions = api.accounts.me.queryOptions(undefined, { staleTime: 60_000 })

/** Who is signed in. Only below the shell, which lets nobody else in. */
export const useSession = () => useSuspenseQuery(sessionOptions).data

/** Forgets everything that was read as somebody; the next view asks anew. */
export const forgetEverything = () => {
  queries.clear()
}

/** Ends this browser's session. */
export const signOut = async () => {
  await client.sessions.delete.mutate()
  forgetEverything()
}
