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

const GONE =
  'It was used, has expired, or the service was started again since. If nobody has an account yet, start it once more for a new link.'

/** Makes the first account of all, with the link that the start has printed. */
export const SetUp = () => {
  const { token, look, drop } = useAccountLink('set-up')
  const enter = useAfterSignIn()
  const [made, setMade] = useState<Outputs['accounts']['signUp'] | null>(null)
  if (made)
    return <SaveRecoveryCodes handle={made.handle} codes={made.recovery_codes} onSaved={() => void enter()} />
  if (token === null) return <InvalidLink {...MISSING_TOKEN} />
  if (look.isPending) return <Loading rows={3} />
  if (look.isError)
    return failureOf(look.error).code === 'link_not_found' ? (
      <InvalidLink text={GONE} />
    ) : (
      <FailureView error={look.error} retry={() => void look.refetch()} />
    )
  if (look.data.purpose !== 'set_up') return <InvalidLink text={GONE} />
  return (
    <Stack>
      <AuthTitle title="Make the first account">
        Space Site is up. You are the first here: choose a handle and a password for yourself.
      </AuthTitle>
      <SignUpForm
        set_up={token}
        action="Make my account"
        onSignedUp={account => {
          drop()
          setMade(account)
        }}
      />
    </Stack>
  )
}
