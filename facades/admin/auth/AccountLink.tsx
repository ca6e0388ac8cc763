import { Alert, Button, Stack, VisuallyHidden } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { FormFailure } from '../ui/FormFailure.tsx'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { CheckedLink, type LinkUse } from './CheckedLink.tsx'
import { EndTokensField, HandleField, NewPasswordField } from './fields.tsx'
import { SaveRecoveryCodes } from './RecoveryCodes.tsx'
import { useAfterSignIn } from './return-to.ts'

const EXPIRED = 'It was already used, or it has expired. Ask the operator for a new link.'

/** View for a link that an operator sent. The link signs a person in once or lets them set a new password. */
export const AccountLink = () => (
  <CheckedLink view="link" title="Your sign-in link" expired={EXPIRED}>
    {({ purpose, handle }, use) => {
      if (handle === null) return null
      return purpose === 'reset' ? (
        <ResetPassword key={use.token} handle={handle} {...use} />
      ) : (
        <SignInByLink key={use.token} handle={handle} {...use} />
      )
    }}
  </CheckedLink>
)

/** Sets a new password with an operator's link. This ends all sessions and replaces the recovery codes. */
export const ResetPassword = ({ token, handle, onUsed }: LinkUse & { handle: string }) => {
  const openDashboard = useAfterSignIn()
  const [result, setResult] = useState<Outputs['accounts']['resetPassword'] | null>(null)
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { password: '', end_tokens: false } },
    api.accounts.resetPassword.mutationOptions({
      onSuccess: reset => {
        onUsed()
        setResult(reset)
      },
    }),
  )
  if (result)
    return (
      <SaveRecoveryCodes
        handle={result.handle}
        codes={result.recovery_codes}
        onSaved={() => void openDashboard(result.passkeys > 0 ? { next: '/account/security' } : {})}
      >
        {result.passkeys > 0 && (
          <Alert icon={<IconFingerprint aria-hidden />} title="Check your passkeys">
            {result.passkeys === 1 ? 'One passkey still works' : `${result.passkeys} passkeys still work`}.
            Next, delete any that you don’t recognize.
          </Alert>
        )}
      </SaveRecoveryCodes>
    )
  return (
    <form {...props(values => ({ token, ...values }))}>
      <Stack>
        <AuthTitle title="Set a new password">
          For <b>{handle}</b>. This signs you out everywhere else and gives you new recovery codes.
        </AuthTitle>
        {/* Password managers store the password under this handle. */}
        <VisuallyHidden aria-hidden>
          <HandleField value={handle} readOnly tabIndex={-1} />
        </VisuallyHidden>
        <NewPasswordField label="New password" autoFocus {...form.getInputProps('password')} />
        <EndTokensField {...form.getInputProps('end_tokens', { type: 'checkbox' })} />
        {failure}
        <Button type="submit" loading={mutation.isPending}>
          Set password
        </Button>
      </Stack>
    </form>
  )
}

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
