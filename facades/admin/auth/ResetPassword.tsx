import { Alert, Button, Stack, VisuallyHidden } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { showErrors } from '../feedback/form-errors.ts'
import { AuthTitle } from './AuthTitle.tsx'
import { HandleField, NewPasswordField } from './fields.tsx'
import { SaveRecoveryCodes } from './SaveRecoveryCodes.tsx'
import { useAfterSignIn } from './use-after-sign-in.ts'

const FIELDS = ['password'] as const

/** Sets a new password with an operator's link; every session and recovery code from before ends. */
export const ResetPassword = ({
  token,
  handle,
  onUsed,
}: {
  token: string
  handle: string
  onUsed: () => void
}) => {
  const enter = useAfterSignIn()
  const [done, setDone] = useState<Outputs['accounts']['resetPassword'] | null>(null)
  const form = useForm({ initialValues: { password: '' } })
  const reset = useMutation(
    api.accounts.resetPassword.mutationOptions({
      onSuccess: result => {
        onUsed()
        setDone(result)
      },
      onError: error => showErrors(form, error, FIELDS),
    }),
  )
  if (done)
    return (
      <SaveRecoveryCodes
        handle={done.handle}
        codes={done.recovery_codes}
        onSaved={() => void enter(done.passkeys > 0 ? { next: '/account/security' } : {})}
      >
        {done.passkeys > 0 && (
          <Alert icon={<IconFingerprint aria-hidden />} title="Look through your passkeys">
            {done.passkeys === 1 ? 'One passkey still works' : `${done.passkeys} passkeys still work`}. You
            are shown them next; delete any that you don’t know.
          </Alert>
        )}
      </SaveRecoveryCodes>
    )
  return (
    <form onSubmit={form.onSubmit(({ password }) => reset.mutate({ token, password }))} noValidate>
      <Stack>
        <AuthTitle title="Set a new password">
          For <b>{handle}</b>. You are signed out everywhere else, and get new recovery codes.
        </AuthTitle>
        {/* For password managers, which keep a password together with its handle. */}
        <VisuallyHidden aria-hidden>
          <HandleField value={handle} readOnly tabIndex={-1} />
        </VisuallyHidden>
        <NewPasswordField label="New password" {...form.getInputProps('password')} />
        <FormFailure error={reset.error} names={FIELDS} />
        <Button type="submit" loading={reset.isPending}>
          Set the password
        </Button>
      </Stack>
    </form>
  )
}
