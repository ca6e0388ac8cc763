import { api, queries } from '../api.ts'

/** Lets what is known of spaces be read anew, after one of them has changed. */
export const refreshSpace = () =>
  Promise.all([
    queries.invalidateQueries(api.space.pathFilter()),
    queries.invalidateQueries(api.spaces.pathFilter()),
  ])

/** Forgets what was read of a space that is not there any more, or not for this person. */
export const forgetSpace = (subdomain: string) => {
  const input = JSON.stringify(subdomain)
  queries.removeQueries({ predicate: ({ queryHash }) => queryHash.includes(`"subdomain":${input}`) })
  return queries.invalidateQueries(api.spaces.pathFilter())
}
