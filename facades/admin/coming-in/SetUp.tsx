import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { Outputs } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { DoorTitle } from './DoorTitle.tsx'
import { LINK_MISSING, LinkGone } from './LinkGone.tsx'
import { SaveCodes } from './SaveCodes.tsx'
import { SignUpForm } from './SignUpForm.tsx'
import { useEnter } from './use-enter.ts'
import { useLink } from './use-link.ts'

const GONE =
  'It was used, has expired, or the service was started again since. If nobody has an account yet, start it once more for a new link.'

/** Makes the first account of all, with the link that the start has printed. */
export const SetUp = () => {
  const { token, look, drop } = useLink('set-up')
  const enter = useEnter()
  const [made, setMade] = useState<Outputs['accounts']['signUp'] | null>(null)
  if (made) return <SaveCodes handle={made.handle} codes={made.recovery_codes} onSaved={() => void enter()} />
  if (token === null) return <LinkGone {...LINK_MISSING} />
  if (look.isPending) return <Loading rows={3} />
  if (look.isError)
    return failureOf(look.error).code === 'link_not_found' ? (
      <LinkGone text={GONE} />
    ) : (
      <FailureView error={look.error} retry={() => void look.refetch()} />
    )
  if (look.data.purpose !== 'set_up') return <LinkGone text={GONE} />
  return (
    <Stack>
      <DoorTitle title="Make the first account">
        Space Site is up. You are the first here: choose a handle and a password for yourself.
      </DoorTitle>
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
