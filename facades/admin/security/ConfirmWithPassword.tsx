import { Button, Stack } from '@mantine/core'
import { api } from '../api.ts'
import { PasswordField } from '../auth/fields.tsx'
import { useFormMutation } from '../feedback/use-form-mutation.tsx'

/** Confirms the signed-in person's identity with the password. */
export const ConfirmWithPassword = ({ onConfirmed }: { onConfirmed: () => void }) => {
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { password: '' } },
    api.sessions.confirm.mutationOptions({ onSuccess: onConfirmed }),
  )
  return (
    <form {...props(values => values)}>
      <Stack>
        <PasswordField data-autofocus {...form.getInputProps('password')} />
        {failure}
        <Button type="submit" loading={mutation.isPending}>
          Confirm
        </Button>
      </Stack>
    </form>
  )
}
