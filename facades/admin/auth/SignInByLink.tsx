import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

/** Signs in with a one-time link, by a click: opening an address alone signs nobody in. */
export const SignInByLink = ({
  token,
  handle,
  onUsed,
}: {
  token: string
  handle: string
  onUsed: () => void
}) => {
  const enter = useAfterSignIn()
  const signIn = useMutation(
    api.sessions.createFromLink.mutationOptions({
      onSuccess: async () => {
        onUsed()
        await enter()
      },
    }),
  )
  return (
    <Stack>
      <AuthTitle title={`Come in as ${handle}`}>
        This link signs you in, once, without a password. You can set one under Security afterwards.
      </AuthTitle>
      <FormFailure error={signIn.error} />
      <Button onClick={() => signIn.mutate({ token })} loading={signIn.isPending} data-autofocus>
        Sign in as {handle}
      </Button>
    </Stack>
  )
}
