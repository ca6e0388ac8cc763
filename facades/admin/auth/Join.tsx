import { useQuery } from '@tanstack/react-query'
import { client } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { sessionOptions } from '../session.ts'
import { InvalidLink, MISSING_TOKEN } from './InvalidLink.tsx'
import { JoinSignedIn } from './JoinSignedIn.tsx'
import { JoinSignedOut } from './JoinSignedOut.tsx'
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
  if (token === null) return <InvalidLink {...MISSING_TOKEN} />
  const isStranger = me.isError && failureOf(me.error).kind === 'signed-out'
  if (look.isPending || me.isPending) return <Loading rows={3} />
  if (look.isError && failureOf(look.error).code === 'invite_not_found')
    return <InvalidLink text="The invitation was used, has expired, or was withdrawn. Ask for a new one." />
  if (look.isError) return <FailureView level={1} error={look.error} retry={() => void look.refetch()} />
  if (isStranger) return <JoinSignedOut key={token} token={token} invite={look.data} />
  if (me.isError) return <FailureView level={1} error={me.error} retry={() => void me.refetch()} />
  return <JoinSignedIn key={token} token={token} invite={look.data} handle={me.data.handle} />
}
