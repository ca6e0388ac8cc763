import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Outputs } from '../api.ts'
import { TextLink } from '../shell/ButtonLink.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { InviteCard } from './InviteCard.tsx'
import { dropToken } from './link-token.ts'
import { SaveRecoveryCodes } from './SaveRecoveryCodes.tsx'
import { SignUpForm } from './SignUpForm.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

interface JoinSignedOutProps {
  token: string
  invite: Outputs['invites']['look']
}

/** Makes an account that takes part in the space at once, or leads to signing in with one. */
export const JoinSignedOut = ({ token, invite }: JoinSignedOutProps) => {
  const enter = useAfterSignIn()
  const [made, setMade] = useState<Outputs['accounts']['signUp'] | null>(null)
  if (made)
    return (
      <SaveRecoveryCodes
        handle={made.handle}
        codes={made.recovery_codes}
        onSaved={() => void enter(made.joined ? { next: `/spaces/${made.joined.subdomain}` } : {})}
      />
    )
  return (
    <Stack>
      <AuthTitle title={`Join ${invite.name}`}>
        {invite.inviter} invites you to run this space together. Make an account to join.
      </AuthTitle>
      <InviteCard invite={invite} />
      <SignUpForm
        invite={token}
        action="Make an account and join"
        onSignedUp={account => {
          dropToken('join')
          setMade(account)
        }}
      >
        <Text size="sm" c="dimmed" ta="center">
          You have an account?{' '}
          <TextLink to="/sign-in" search={{ next: '/join' }}>
            Sign in to join
          </TextLink>
        </Text>
      </SignUpForm>
    </Stack>
  )
}
