import { Alert, Stack, Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { AuthTitle, NotSetUp } from './AuthTitle.tsx'
import { SaveRecoveryCodes } from './RecoveryCodes.tsx'
import { useAfterSignIn } from './return-to.ts'
import { SignUpForm } from './SignUpForm.tsx'

const route = getRouteApi('/auth/sign-up')

/** Creates an account if sign-up is open; otherwise says how to get one. */
export const SignUp = () => {
  const search = route.useSearch()
  const openDashboard = useAfterSignIn()
  const [account, setAccount] = useState<Outputs['accounts']['signUp'] | null>(null)
  const entry = useQuery(api.accounts.entry.queryOptions())
  if (account)
    return (
      <SaveRecoveryCodes
        handle={account.handle}
        codes={account.recovery_codes}
        // A new person begins with a space, unless they came for something else.
        onSaved={() => void openDashboard({ ...search, next: search.next ?? '/new-space' })}
      />
    )
  const title = <AuthTitle title="Create an account" />
  const placeholder = (
    <Stack>
      {title}
      {/* This placeholder is as high as the form, so that the layout does not shift when the form appears. */}
      <Loading rows={4} height={64} />
    </Stack>
  )
  const signIn = (
    <Text size="sm" c="dimmed" ta="center">
      Already have an account?{' '}
      <TextLink to="/sign-in" search={search}>
        Sign in
      </TextLink>
    </Text>
  )
  return (
    <Loaded query={entry} level={1} placeholder={placeholder}>
      {found => (
        <Stack>
          {title}
          {found.sign_up === 'open' ? (
            <SignUpForm action="Create account" onSignedUp={setAccount}>
              {signIn}
            </SignUpForm>
          ) : found.is_set_up ? (
            <>
              <Alert icon={<IconMail aria-hidden />} title="You need an invitation">
                Ask someone who runs a space here to invite you, then open the link they send you.
              </Alert>
              {signIn}
            </>
          ) : (
            <NotSetUp />
          )}
        </Stack>
      )}
    </Loaded>
  )
}
