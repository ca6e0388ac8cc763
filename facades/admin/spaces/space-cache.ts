import { api, queryClient } from '../api.ts'

/** Refetches cached data of spaces, after one of them has changed. */
export const refreshSpace = () =>
  Promise.all([
    queryClient.invalidateQueries(api.space.pathFilter()),
    queryClient.invalidateQueries(api.spaces.pathFilter()),
  ])

/** Removes cached data of a space that was deleted or that the person left. */
export const forgetSpace = (subdomain: string) => {
  const input = JSON.stringify(subdomain)
  queryClient.removeQueries({ predicate: ({ queryHash }) => queryHash.includes(`"subdomain":${input}`) })
  return queryClient.invalidateQueries(api.spaces.pathFilter())
}
