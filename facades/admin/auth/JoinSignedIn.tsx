import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api, type Outputs } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf } from '../feedback/failure.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { signOut } from '../session.ts'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { InviteCard } from './InviteCard.tsx'
import { dropToken } from './link-token.ts'
import { useAfterSignIn } from './use-after-sign-in.ts'

interface JoinSignedInProps {
  token: string
  invite: Outputs['invites']['look']
  handle: string
}

/** Joins a space with the account that is signed in. */
export const JoinSignedIn = ({ token, invite, handle }: JoinSignedInProps) => {
  const openDashboard = useAfterSignIn()
  const router = useRouter()
  const join = useMutation(
    api.invites.accept.mutationOptions({
      onSuccess: async ({ subdomain, name }) => {
        dropToken('join')
        await openDashboard({ next: `/spaces/${subdomain}` })
        notifySuccess(`You joined ${name}.`)
      },
    }),
  )
  const switchAccount = useMutation({
    mutationFn: signOut,
    onSuccess: () => router.navigate({ to: '/sign-in', search: { next: '/join' } }),
  })
  const isParticipant = join.error && failureOf(join.error).code === 'already_participant'
  return (
    <Stack>
      <AuthTitle title={`Join ${invite.name}`}>
        You will have full access to this space, like every participant.
      </AuthTitle>
      <InviteCard invite={invite} />
      <FormFailure error={join.error ?? switchAccount.error} />
      {isParticipant ? (
        <ButtonLink to="/spaces/$subdomain" params={{ subdomain: invite.subdomain }}>
          Go to {invite.name}
        </ButtonLink>
      ) : (
        <Button onClick={() => join.mutate({ token })} loading={join.isPending}>
          Join as {handle}
        </Button>
      )}
      <Text size="sm" c="dimmed" ta="center">
        Not {handle}?{' '}
        <Anchor
          component="button"
          type="button"
          size="sm"
          underline="always"
          onClick={() => switchAccount.mutate()}
          disabled={switchAccount.isPending}
        >
          Use another account
        </Anchor>
      </Text>
    </Stack>
  )
}
