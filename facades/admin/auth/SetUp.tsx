import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { Outputs } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { InvalidLink, MISSING_TOKEN } from './InvalidLink.tsx'
import { SaveRecoveryCodes } from './SaveRecoveryCodes.tsx'
import { SignUpForm } from './SignUpForm.tsx'
import { useAccountLink } from './use-account-link.ts'
import { useAfterSignIn } from './use-after-sign-in.ts'

const EXPIRED =
  'It was already used, has expired, or the service has been restarted since. If there is no account yet, restart the service for a new link.'

/** Creates the first account, with the link that the service prints when it starts. */
export const SetUp = () => {
  const { token, link, drop } = useAccountLink('set-up')
  const openDashboard = useAfterSignIn()
  const [account, setAccount] = useState<Outputs['accounts']['signUp'] | null>(null)
  if (account)
    return (
      <SaveRecoveryCodes
        handle={account.handle}
        codes={account.recovery_codes}
        onSaved={() => void openDashboard()}
      />
    )
  if (token === null) return <InvalidLink {...MISSING_TOKEN} />
  if (link.isPending)
    return (
      <Stack>
        <AuthTitle title="Create the first account" />
        <Loading rows={3} />
      </Stack>
    )
  if (link.isError)
    return failureOf(link.error).code === 'link_not_found' ? (
      <InvalidLink text={EXPIRED} />
    ) : (
      <FailureView level={1} error={link.error} retry={() => void link.refetch()} />
    )
  if (link.data.purpose !== 'set_up') return <InvalidLink text={EXPIRED} />
  return (
    <Stack>
      <AuthTitle title="Create the first account">
        Space Site is running. You are the first person here: choose your handle and password.
      </AuthTitle>
      <SignUpForm
        set_up={token}
        action="Create account"
        onSignedUp={created => {
          drop()
          setAccount(created)
        }}
      />
    </Stack>
  )
}
