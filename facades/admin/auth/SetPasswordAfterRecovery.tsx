import { Button, Stack, Text } from '@mantine/core'
import { api } from '../api.ts'
import { useFormMutation } from '../feedback/use-form-mutation.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { EndTokensField, NewPasswordField } from './fields.tsx'
import type { ReturnTo } from './return-to.ts'
import { useAfterSignIn } from './use-after-sign-in.ts'

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
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { password: '', end_tokens: false } },
    api.accounts.setPassword.mutationOptions({ onSuccess: finish }),
  )
  return (
    <form {...props(values => values)}>
      <Stack>
        <AuthTitle title="Set a new password" takesFocus>
          You are signed in as <b>{handle}</b>. For the next ten minutes, you can set a new password without
          the old one.
        </AuthTitle>
        <NewPasswordField label="New password" {...form.getInputProps('password')} />
        <EndTokensField {...form.getInputProps('end_tokens', { type: 'checkbox' })} />
        {failure}
        <Button type="submit" loading={mutation.isPending}>
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
