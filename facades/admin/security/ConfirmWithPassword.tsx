import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { PasswordField } from '../auth/fields.tsx'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { showErrors } from '../feedback/form-errors.ts'

const FIELDS = ['password'] as const

/** Confirms the signed-in person's identity with the password. */
export const ConfirmWithPassword = ({ onConfirmed }: { onConfirmed: () => void }) => {
  const form = useForm({ initialValues: { password: '' } })
  const confirm = useMutation(
    api.sessions.confirm.mutationOptions({
      onSuccess: onConfirmed,
      onError: error => showErrors(form, error, FIELDS),
    }),
  )
  return (
    <form onSubmit={form.onSubmit(values => confirm.mutate(values))} noValidate>
      <Stack>
        <PasswordField data-autofocus {...form.getInputProps('password')} />
        <FormFailure error={confirm.error} names={FIELDS} />
        <Button type="submit" loading={confirm.isPending}>
          Confirm
        </Button>
      </Stack>
    </form>
  )
}
