import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api, queries } from '../api.ts'
import { RecoveryCodeField } from '../auth/fields.tsx'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { showErrors } from '../feedback/form-errors.ts'

const FIELDS = ['code'] as const

interface ConfirmWithCodeProps {
  /** How many codes the account has left. */
  left: number
  onConfirmed: () => void
}

/** Confirms the signed-in person's identity with a recovery code, which is used up. */
export const ConfirmWithCode = ({ left, onConfirmed }: ConfirmWithCodeProps) => {
  const form = useForm({ initialValues: { code: '' } })
  const confirm = useMutation(
    api.sessions.confirmWithCode.mutationOptions({
      onSuccess: () => {
        void queries.invalidateQueries(api.recovery.status.pathFilter())
        onConfirmed()
      },
      onError: error => showErrors(form, error, FIELDS),
    }),
  )
  return (
    <form onSubmit={form.onSubmit(values => confirm.mutate(values))} noValidate>
      <Stack>
        <RecoveryCodeField
          description={`Uses up one of your ${left} remaining codes.`}
          data-autofocus
          {...form.getInputProps('code')}
        />
        <FormFailure error={confirm.error} names={FIELDS} />
        <Button type="submit" loading={confirm.isPending}>
          Confirm with a recovery code
        </Button>
      </Stack>
    </form>
  )
}
