import { Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { showErrors } from '../feedback/form-errors.ts'
import { AuthTitle } from './AuthTitle.tsx'
import { EndTokensField, NewPasswordField } from './fields.tsx'
import type { ReturnTo } from './return-to.ts'
import { useAfterSignIn } from './use-after-sign-in.ts'

const FIELDS = ['password'] as const

interface SetPasswordAfterRecoveryProps {
  handle: string
  codes_left: number
  /** Where to go once a new password is set or the old one is kept. */
  returnTo: ReturnTo
}

const describeCodesLeft = (left: number) =>
  left === 0
    ? 'That was your last recovery code. Create new ones under Security.'
    : left === 1
      ? 'You have one recovery code left. Create new ones soon, under Security.'
      : `You have ${left} recovery codes left.`

/** Sets a new password after signing in with a recovery code. For ten minutes, the old password is not required. */
export const SetPasswordAfterRecovery = ({ handle, codes_left, returnTo }: SetPasswordAfterRecoveryProps) => {
  const openDashboard = useAfterSignIn()
  const finish = () => openDashboard(codes_left <= 1 ? { next: '/account/security' } : returnTo)
  const form = useForm({ initialValues: { password: '', end_tokens: false } })
  const setPassword = useMutation(
    api.accounts.setPassword.mutationOptions({
      onSuccess: finish,
      onError: error => showErrors(form, error, FIELDS),
    }),
  )
  return (
    <form onSubmit={form.onSubmit(values => setPassword.mutate(values))} noValidate>
      <Stack>
        <AuthTitle title="Set a new password" takesFocus>
          You are signed in as <b>{handle}</b>. For the next ten minutes, you can set a new password without
          the old one.
        </AuthTitle>
        <NewPasswordField label="New password" {...form.getInputProps('password')} />
        <EndTokensField {...form.getInputProps('end_tokens', { type: 'checkbox' })} />
        <FormFailure error={setPassword.error} names={FIELDS} />
        <Button type="submit" loading={setPassword.isPending}>
          Set password
        </Button>
        <Button variant="subtle" color="gray" c="var(--mantine-color-text)" onClick={() => void finish()}>
          Keep the old password
        </Button>
        <Text size="sm" c="dimmed" ta="center">
          {describeCodesLeft(codes_left)}
        </Text>
      </Stack>
    </form>
  )
}
