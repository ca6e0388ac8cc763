import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Outputs, rpc } from '../api.ts'
import { Monogram } from '../icon/Monogram.tsx'
import { sessionOptions, signOut } from '../session.ts'
import { ButtonLink, TextLink } from '../ui/ButtonLink.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { failureOf } from '../ui/failure.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { notifySuccess } from '../ui/notify.ts'
import { AuthTitle } from './AuthTitle.tsx'
import { InvalidLink, MISSING_TOKEN } from './CheckedLink.tsx'
import { dropToken, useToken } from './link-token.ts'
import { SaveRecoveryCodes } from './RecoveryCodes.tsx'
import { useAfterSignIn } from './return-to.ts'
import { SignUpForm } from './SignUpForm.tsx'

/**
 * Whether to ask again who is signed in when the person returns to the tab. If nobody was, the answer would be unknown
 * meanwhile, and the form would be replaced with what was typed in it.
 */
const isWorthAsking = ({ state }: { state: { error: unknown } }) =>
  !state.error || failureOf(state.error).kind !== 'signed-out'

/** View for an invitation link. Signed-in people join with one click; others sign up or sign in first. */
export const Join = () => {
  const token = useToken('join')
  // The codes are shown only once. So they are kept here, where neither another link nor the new session replaces them.
  const [account, setAccount] = useState<Outputs['accounts']['signUp'] | null>(null)
  const openDashboard = useAfterSignIn()
  const me = useQuery({
    ...sessionOptions,
    refetchOnWindowFocus: isWorthAsking,
    refetchOnReconnect: isWorthAsking,
  })
  const invite = useQuery({
    queryKey: ['invite', token],
    queryFn: () => rpc.invites.look.mutate({ token: token! }),
    enabled: token !== null,
    staleTime: 'static',
    gcTime: 0,
  })
  if (account)
    return (
      <SaveRecoveryCodes
        handle={account.handle}
        codes={account.recovery_codes}
        onSaved={() =>
          void openDashboard(account.joined ? { next: `/spaces/${account.joined.subdomain}` } : {})
        }
      />
    )
  if (token === null) return <InvalidLink {...MISSING_TOKEN} />
  if (invite.isError && failureOf(invite.error).code === 'invite_not_found')
    return (
      <InvalidLink text="The invitation was already used, has expired or was revoked. Ask for a new one." />
    )
  const isSignedOut = me.isError && failureOf(me.error).kind === 'signed-out'
  const states = {
    level: 1,
    placeholder: (
      <Stack>
        <AuthTitle title="Your invitation" />
        <Loading rows={3} />
      </Stack>
    ),
  } as const
  return (
    <Loaded query={invite} {...states}>
      {found =>
        isSignedOut ? (
          <JoinSignedOut
            key={token}
            token={token}
            invite={found}
            onSignedUp={created => {
              dropToken('join')
              setAccount(created)
            }}
          />
        ) : (
          <Loaded query={me} {...states}>
            {({ handle }) => <JoinSignedIn key={token} token={token} invite={found} handle={handle} />}
          </Loaded>
        )
      }
    </Loaded>
  )
}

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
        {invite.role === 'owner'
          ? 'You will be an owner of this space, with full access.'
          : 'You will be an editor of this space: you can change its content, but not its settings, keys and participants.'}
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

interface JoinSignedOutProps {
  token: string
  invite: Outputs['invites']['look']
  onSignedUp: (account: Outputs['accounts']['signUp']) => void
}

/** A form that creates an account and joins the space, with a link to sign in to an existing account instead. */
export const JoinSignedOut = ({ token, invite, onSignedUp }: JoinSignedOutProps) => (
  <Stack>
    <AuthTitle title={`Join ${invite.name}`}>
      {invite.inviter} invited you to help {invite.role === 'owner' ? 'run' : 'edit'} this space. Create an
      account to join.
    </AuthTitle>
    <InviteCard invite={invite} />
    <SignUpForm invite={token} action="Create account and join" onSignedUp={onSignedUp}>
      <Text size="sm" c="dimmed" ta="center">
        Already have an account?{' '}
        <TextLink to="/sign-in" search={{ next: '/join' }}>
          Sign in to join
        </TextLink>
      </Text>
    </SignUpForm>
  </Stack>
)

/** Shows which space an invitation is for, and who sent it. */
export const InviteCard = ({ invite }: { invite: Outputs['invites']['look'] }) => (
  <Paper withBorder p="md" radius="md">
    <Group wrap="nowrap">
      <Monogram src={invite.icon_url} name={invite.name} size={48} radius="md" />
      <div style={{ minWidth: 0 }}>
        <Text fw={600} truncate>
          {invite.name}
        </Text>
        <Text size="sm" c="dimmed" truncate>
          from {invite.inviter}
        </Text>
      </div>
    </Group>
  </Paper>
)
