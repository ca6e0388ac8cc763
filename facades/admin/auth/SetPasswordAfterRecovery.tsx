import { Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { showErrors } from '../feedback/form-errors.ts'
import { AuthTitle } from './AuthTitle.tsx'
import { NewPasswordField } from './fields.tsx'
import type { ReturnTo } from './return-to.ts'
import { useAfterSignIn } from './use-after-sign-in.ts'

const FIELDS = ['password'] as const

interface SetPasswordAfterRecoveryProps {
  handle: string
  codes_left: number
  /** Where one wanted to go. */
  wanted: ReturnTo
}

const leftInWords = (left: number) =>
  left === 0
    ? 'That was your last recovery code: make new ones under Security.'
    : left === 1
      ? 'One recovery code is left: make new ones under Security soon.'
      : `${left} recovery codes are left.`

/** After signing in with a recovery code: a new password, without the old one, for as long as the session allows. */
export const SetPasswordAfterRecovery = ({ handle, codes_left, wanted }: SetPasswordAfterRecoveryProps) => {
  const enter = useAfterSignIn()
  const goOn = () => enter(codes_left <= 1 ? { next: '/account/security' } : wanted)
  const form = useForm({ initialValues: { password: '' } })
  const setPassword = useMutation(
    api.accounts.setPassword.mutationOptions({
      onSuccess: goOn,
      onError: error => showErrors(form, error, FIELDS),
    }),
  )
  return (
    <form onSubmit={form.onSubmit(values => setPassword.mutate(values))} noValidate>
      <Stack>
        <AuthTitle title="Set a new password" takesOver>
          You are signed in as <b>{handle}</b>. Within ten minutes you can set a new password without the old
          one.
        </AuthTitle>
        <NewPasswordField label="New password" {...form.getInputProps('password')} />
        <FormFailure error={setPassword.error} names={FIELDS} />
        <Button type="submit" loading={setPassword.isPending}>
          Set the password
        </Button>
        <Button variant="subtle" color="gray" c="var(--mantine-color-text)" onClick={() => void goOn()}>
          Keep the old one
        </Button>
        <Text size="sm" c="dimmed" ta="center">
          {leftInWords(codes_left)}
        </Text>
      </Stack>
    </form>
  )
}
