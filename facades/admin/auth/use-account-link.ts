import { useQuery } from '@tanstack/react-query'
import { client } from '../api.ts'
import { dropToken, useToken } from './link-token.ts'

/**
 * Returns the link's token, a query for the link's purpose and handle, and `drop`, which deletes the token from
 * memory. The query does not use up the link.
 */
export const useAccountLink = (view: 'link' | 'set-up') => {
  const token = useToken(view)
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => client.links.look.mutate({ token: token! }),
    enabled: token !== null,
    staleTime: 'static',
    gcTime: 0,
  })
  return { token, link, drop: () => dropToken(view) }
}
