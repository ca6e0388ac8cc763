import { Button, Stack, VisuallyHidden } from '@mantine/core'
import { useForm } from '@mantine/form'
import { EndTokensField, HandleField, NewPasswordField, PasswordField } from '../auth/fields.tsx'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { notifySuccess } from '../feedback/notify.ts'
import { useSession } from '../session.ts'
import { Section } from '../shell/Section.tsx'
import { unlessCancelled } from './confirmation.tsx'
import { useSetPassword } from './use-set-password.ts'

const FIELDS = ['current_password', 'password'] as const

/** Changes the password, or sets one on an account that has none. */
export const PasswordSection = () => {
  const { handle, has_password } = useSession()
  const form = useForm({ initialValues: { current_password: '', password: '', end_tokens: false } })
  const setPassword = useSetPassword(form, FIELDS, endsTokens => {
    form.reset()
    notifySuccess(
      endsTokens
        ? 'Password saved. You are signed out everywhere else, and all tokens are revoked.'
        : 'Password saved. You are signed out everywhere else.',
    )
  })
  return (
    <Section
      title="Password"
      text={
        has_password
          ? 'Changing your password signs you out everywhere else.'
          : 'You have no password yet. Set one if you want to sign in with your handle and a password.'
      }
    >
      <form
        onSubmit={form.onSubmit(({ current_password, ...values }) =>
          setPassword.mutate(has_password ? { current_password, ...values } : values),
        )}
        noValidate
      >
        <Stack maw="24rem">
          {/* Password managers store the password under this handle. */}
          <VisuallyHidden aria-hidden>
            <HandleField value={handle} readOnly tabIndex={-1} />
          </VisuallyHidden>
          {has_password && (
            <PasswordField label="Current password" {...form.getInputProps('current_password')} />
          )}
          <NewPasswordField label="New password" {...form.getInputProps('password')} />
          {has_password && <EndTokensField {...form.getInputProps('end_tokens', { type: 'checkbox' })} />}
          <FormFailure error={unlessCancelled(setPassword.error)} names={FIELDS} />
          <Button
            type="submit"
            variant="default"
            loading={setPassword.isPending}
            style={{ alignSelf: 'start' }}
          >
            {has_password ? 'Change password' : 'Set password'}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
