import { Alert, Stack, Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { TextLink } from '../shell/ButtonLink.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { NotSetUp } from './NotSetUp.tsx'
import { SaveRecoveryCodes } from './SaveRecoveryCodes.tsx'
import { SignUpForm } from './SignUpForm.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

const route = getRouteApi('/auth/sign-up')

/** Makes an account where anybody may; elsewhere says how one comes to one. */
export const SignUp = () => {
  const search = route.useSearch()
  const enter = useAfterSignIn()
  const [made, setMade] = useState<Outputs['accounts']['signUp'] | null>(null)
  const entry = useQuery(api.accounts.entry.queryOptions())
  if (made)
    return (
      <SaveRecoveryCodes
        handle={made.handle}
        codes={made.recovery_codes}
        onSaved={() => void enter(search)}
      />
    )
  if (entry.isPending) return <Loading rows={3} />
  if (entry.isError) return <FailureView level={1} error={entry.error} retry={() => void entry.refetch()} />
  const signIn = (
    <Text size="sm" c="dimmed" ta="center">
      You have one already?{' '}
      <TextLink to="/sign-in" search={search}>
        Sign in
      </TextLink>
    </Text>
  )
  return (
    <Stack>
      <AuthTitle title="Make an account" />
      {entry.data.sign_up === 'open' ? (
        <SignUpForm action="Make an account" onSignedUp={setMade}>
          {signIn}
        </SignUpForm>
      ) : entry.data.is_set_up ? (
        <>
          <Alert icon={<IconMail aria-hidden />} title="Accounts are made by invitation here">
            Ask somebody who runs a space to invite you, and open the link they send you.
          </Alert>
          {signIn}
        </>
      ) : (
        <NotSetUp />
      )}
    </Stack>
  )
}
