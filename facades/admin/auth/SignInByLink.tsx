import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import type { LinkUse } from './CheckedLink.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

/** Signs in with a one-time link. Requires a click, because just opening a URL must not sign anyone in. */
export const SignInByLink = ({ token, handle, onUsed }: LinkUse & { handle: string }) => {
  const openDashboard = useAfterSignIn()
  const signIn = useMutation(
    api.sessions.createFromLink.mutationOptions({
      onSuccess: async () => {
        onUsed()
        await openDashboard()
      },
    }),
  )
  return (
    <Stack>
      <AuthTitle title={`Sign in as ${handle}`}>
        This link signs you in once, without a password. You can set a password under Security afterwards.
      </AuthTitle>
      <FormFailure error={signIn.error} />
      <Button onClick={() => signIn.mutate({ token })} loading={signIn.isPending}>
        Sign in as {handle}
      </Button>
    </Stack>
  )
}
