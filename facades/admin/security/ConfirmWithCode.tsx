import { Button, Stack } from '@mantine/core'
import { api } from '../api.ts'
import { RecoveryCodeField } from '../auth/fields.tsx'
import { useFormMutation } from '../feedback/use-form-mutation.tsx'

interface ConfirmWithCodeProps {
  /** How many codes the account has left. */
  left: number
  onConfirmed: () => void
}

/** Confirms the signed-in person's identity with a recovery code, which is used up. */
export const ConfirmWithCode = ({ left, onConfirmed }: ConfirmWithCodeProps) => {
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { code: '' } },
    api.sessions.confirmWithCode.mutationOptions({ onSuccess: onConfirmed }),
  )
  return (
    <form {...props(values => values)}>
      <Stack>
        <RecoveryCodeField
          description={`Uses up one of your ${left} remaining codes.`}
          data-autofocus
          {...form.getInputProps('code')}
        />
        {failure}
        <Button type="submit" loading={mutation.isPending}>
          Confirm with a recovery code
        </Button>
      </Stack>
    </form>
  )
}
