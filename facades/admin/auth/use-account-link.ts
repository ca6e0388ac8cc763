import { useQuery } from '@tanstack/react-query'
import { client } from '../api.ts'
import { dropToken, useToken } from './link-token.ts'

/** The link that the view was opened with, and what it will do. Looking does not use it up. */
export const useAccountLink = (view: 'link' | 'set-up') => {
  const token = useToken(view)
  const look = useQuery({
    queryKey: ['link', token],
    queryFn: () => client.links.look.mutate({ token: token! }),
    enabled: token !== null,
    staleTime: 'static',
    gcTime: 0,
  })
  return { token, look, drop: () => dropToken(view) }
}
