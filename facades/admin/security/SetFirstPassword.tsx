import { Button, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useForm } from '@mantine/form'
import { HandleField, NewPasswordField } from '../auth/fields.tsx'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { useSession } from '../session.ts'
import { useSetPassword } from './use-set-password.ts'

const FIELDS = ['password'] as const

/**
 * Sets a password for an account that has no password, passkey or recovery code. Without any of these, the person
 * cannot confirm a sensitive change.
 */
export const SetFirstPassword = ({ onSet }: { onSet: () => void }) => {
  const { handle } = useSession()
  const form = useForm({ initialValues: { password: '' } })
  const setPassword = useSetPassword(form, FIELDS, onSet)
  return (
    <form onSubmit={form.onSubmit(values => setPassword.mutate(values))} noValidate>
      <Stack>
        <Text>
          You have no password, passkey or recovery code to confirm with. Set a password to continue. This
          signs you out everywhere else.
        </Text>
        {/* Password managers store the password under this handle. */}
        <VisuallyHidden aria-hidden>
          <HandleField value={handle} readOnly tabIndex={-1} />
        </VisuallyHidden>
        <NewPasswordField label="New password" data-autofocus {...form.getInputProps('password')} />
        <FormFailure error={setPassword.error} names={FIELDS} />
        <Button type="submit" loading={setPassword.isPending}>
          Set password and continue
        </Button>
      </Stack>
    </form>
  )
}
