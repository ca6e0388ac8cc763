import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { useSession } from './session.ts'

/**
 * The role of the signed-in person in a space; undefined while it is unknown. The service refuses what a role does not
 * allow, so views hide only what they know to be refused.
 */
export const useRole = (subdomain: string | undefined) => {
  const { handle } = useSession()
  const { data } = useQuery({
    ...api.participants.list.queryOptions({ subdomain: subdomain ?? '' }),
    enabled: subdomain !== undefined,
  })
  return data?.find(participant => participant.handle === handle)?.role
}
