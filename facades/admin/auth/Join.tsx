import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { client } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { sessionOptions } from '../session.ts'
import { AuthTitle } from './AuthTitle.tsx'
import { InvalidLink, MISSING_TOKEN } from './InvalidLink.tsx'
import { JoinSignedIn } from './JoinSignedIn.tsx'
import { JoinSignedOut } from './JoinSignedOut.tsx'
import { useToken } from './link-token.ts'

/** View for an invitation link. Signed-in people join with one click; others sign up or sign in first. */
export const Join = () => {
  const token = useToken('join')
  const me = useQuery(sessionOptions)
  const invite = useQuery({
    queryKey: ['invite', token],
    queryFn: () => client.invites.look.mutate({ token: token! }),
    enabled: token !== null,
    staleTime: 'static',
    gcTime: 0,
  })
  if (token === null) return <InvalidLink {...MISSING_TOKEN} />
  const isSignedOut = me.isError && failureOf(me.error).kind === 'signed-out'
  if (invite.isPending || me.isPending)
    return (
      <Stack>
        <AuthTitle title="Your invitation" />
        <Loading rows={3} />
      </Stack>
    )
  if (invite.isError && failureOf(invite.error).code === 'invite_not_found')
    return (
      <InvalidLink text="The invitation was already used, has expired or was revoked. Ask for a new one." />
    )
  if (invite.isError)
    return <FailureView level={1} error={invite.error} retry={() => void invite.refetch()} />
  if (isSignedOut) return <JoinSignedOut key={token} token={token} invite={invite.data} />
  if (me.isError) return <FailureView level={1} error={me.error} retry={() => void me.refetch()} />
  return <JoinSignedIn key={token} token={token} invite={invite.data} handle={me.data.handle} />
}
