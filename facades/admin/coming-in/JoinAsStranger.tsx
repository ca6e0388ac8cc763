import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Outputs } from '../api.ts'
import { TextLink } from '../shell/ButtonLink.tsx'
import { DoorTitle } from './DoorTitle.tsx'
import { InviteCard } from './InviteCard.tsx'
import { dropToken } from './link-token.ts'
import { SaveCodes } from './SaveCodes.tsx'
import { SignUpForm } from './SignUpForm.tsx'
import { useEnter } from './use-enter.ts'

interface JoinAsStrangerProps {
  token: string
  invite: Outputs['invites']['look']
}

/** Makes an account that takes part in the space at once, or leads to signing in with one. */
export const JoinAsStranger = ({ token, invite }: JoinAsStrangerProps) => {
  const enter = useEnter()
  const [made, setMade] = useState<Outputs['accounts']['signUp'] | null>(null)
  if (made)
    return (
      <SaveCodes
        handle={made.handle}
        codes={made.recovery_codes}
        onSaved={() => void enter(made.joined ? { next: `/spaces/${made.joined.subdomain}` } : {})}
      />
    )
  return (
    <Stack>
      <DoorTitle title={`Join ${invite.name}`}>
        {invite.inviter} invites you to run this space together. Make an account to join.
      </DoorTitle>
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
