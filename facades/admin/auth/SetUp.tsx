import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { Outputs } from '../api.ts'
import { AuthTitle } from './AuthTitle.tsx'
import { CheckedLink } from './CheckedLink.tsx'
import { SaveRecoveryCodes } from './RecoveryCodes.tsx'
import { useAfterSignIn } from './return-to.ts'
import { SignUpForm } from './SignUpForm.tsx'

const TITLE = 'Create the first account'
const EXPIRED =
  'It was already used, has expired, or was replaced when the service restarted. If there is no account yet, restart the service for a new link.'

/** Creates the first account, with the link that the service prints when it starts. */
export const SetUp = () => {
  const openDashboard = useAfterSignIn()
  const [account, setAccount] = useState<Outputs['accounts']['signUp'] | null>(null)
  if (account)
    return (
      <SaveRecoveryCodes
        handle={account.handle}
        codes={account.recovery_codes}
        onSaved={() => void openDashboard({ next: '/new-space' })}
      />
    )
  return (
    <CheckedLink view="set-up" title={TITLE} expired={EXPIRED}>
      {({ purpose }, { token, onUsed }) =>
        purpose === 'set_up' ? (
          <Stack>
            <AuthTitle title={TITLE}>
              Space Site is running. You are the first person here: choose your handle and password.
            </AuthTitle>
            <SignUpForm
              set_up={token}
              action="Create account"
              onSignedUp={created => {
                onUsed()
                setAccount(created)
              }}
            />
          </Stack>
        ) : null
      }
    </CheckedLink>
  )
}
