import { useQuery } from '@tanstack/react-query'
import { client } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { sessionOptions } from '../session.ts'
import { JoinAsSomebody } from './JoinAsSomebody.tsx'
import { JoinAsStranger } from './JoinAsStranger.tsx'
import { LINK_MISSING, LinkGone } from './LinkGone.tsx'
import { useToken } from './link-token.ts'

/** Where an invitation leads: one click for somebody who is signed in, an account or a sign-in first for others. */
export const Join = () => {
  const token = useToken('join')
  const me = useQuery(sessionOptions)
  const look = useQuery({
    queryKey: ['invite', token],
    queryFn: () => client.invites.look.mutate({ token: token! }),
    enabled: token !== null,
    staleTime: 'static',
    gcTime: 0,
  })
  if (token === null) return <LinkGone {...LINK_MISSING} />
  const isStranger = me.isError && failureOf(me.error).kind === 'signed-out'
  if (look.isPending || me.isPending) return <Loading rows={3} />
  if (look.isError && failureOf(look.error).code === 'invite_not_found')
    return <LinkGone text="The invitation was used, has expired, or was withdrawn. Ask for a new one." />
  if (look.isError) return <FailureView level={1} error={look.error} retry={() => void look.refetch()} />
  if (isStranger) return <JoinAsStranger key={token} token={token} invite={look.data} />
  if (me.isError) return <FailureView level={1} error={me.error} retry={() => void me.refetch()} />
  return <JoinAsSomebody key={token} token={token} invite={look.data} handle={me.data.handle} />
}
