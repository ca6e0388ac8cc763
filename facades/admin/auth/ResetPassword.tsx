import { Alert, Button, Stack, VisuallyHidden } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { useFormMutation } from '../feedback/use-form-mutation.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import type { LinkUse } from './CheckedLink.tsx'
import { EndTokensField, HandleField, NewPasswordField } from './fields.tsx'
import { SaveRecoveryCodes } from './SaveRecoveryCodes.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

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
