import { Button, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { EndTokensField, HandleField, NewPasswordField, RecoveryCodeField } from './fields.tsx'
import { type ReturnTo, useAfterSignIn } from './return-to.ts'

const route = getRouteApi('/auth/recover')
/** Signs in with a recovery code, then offers to set a new password. */
export const Recover = () => {
  const search = route.useSearch()
  const [session, setSession] = useState<Outputs['sessions']['createFromCode'] | null>(null)
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { handle: '', code: '' } },
    api.sessions.createFromCode.mutationOptions({ onSuccess: setSession }),
  )
  if (session) return <SetPasswordAfterRecovery {...session} returnTo={search} />
  return (
    <form {...props(values => values)}>
      <Stack>
        <AuthTitle title="Use a recovery code">
          Enter one of the ten codes you saved when you created your account. Each code works once.
        </AuthTitle>
        <HandleField autoFocus {...form.getInputProps('handle')} />
        <RecoveryCodeField {...form.getInputProps('code')} />
        {failure}
        <Button type="submit" loading={mutation.isPending}>
          Sign in
        </Button>
        <Text size="sm" c="dimmed" ta="center">
          No codes left? The operator of this service can create a sign-in link for you.{' '}
          <TextLink to="/sign-in" search={search}>
            Back to sign-in
          </TextLink>
        </Text>
      </Stack>
    </form>
  )
}

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
