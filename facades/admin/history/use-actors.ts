import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { ListedActor } from './describe.ts'

/** Returns everyone who appears in the history of a space; an empty list while it is loading. */
export const useActors = (subdomain: string): readonly ListedActor[] =>
  useQuery(api.history.actors.queryOptions({ subdomain })).data ?? []
