import { api, queries } from '../api.ts'

/** Refetches cached data of spaces, after one of them has changed. */
export const refreshSpace = () =>
  Promise.all([
    queries.invalidateQueries(api.space.pathFilter()),
    queries.invalidateQueries(api.spaces.pathFilter()),
  ])

/** Removes cached data of a space that was deleted or that the person left. */
export const forgetSpace = (subdomain: string) => {
  const input = JSON.stringify(subdomain)
  queries.removeQueries({ predicate: ({ queryHash }) => queryHash.includes(`"subdomain":${input}`) })
  return queries.invalidateQueries(api.spaces.pathFilter())
}
