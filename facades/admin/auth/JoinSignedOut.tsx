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

/** A form that creates an account and joins the space, with a link to sign in to an existing account instead. */
export const JoinSignedOut = ({ token, invite }: JoinSignedOutProps) => {
  const openDashboard = useAfterSignIn()
  const [account, setAccount] = useState<Outputs['accounts']['signUp'] | null>(null)
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
  return (
    <Stack>
      <AuthTitle title={`Join ${invite.name}`}>
        {invite.inviter} invited you to help run this space. Create an account to join.
      </AuthTitle>
      <InviteCard invite={invite} />
      <SignUpForm
        invite={token}
        action="Create account and join"
        onSignedUp={created => {
          dropToken('join')
          setAccount(created)
        }}
      >
        <Text size="sm" c="dimmed" ta="center">
          Already have an account?{' '}
          <TextLink to="/sign-in" search={{ next: '/join' }}>
            Sign in to join
          </TextLink>
        </Text>
      </SignUpForm>
    </Stack>
  )
}
