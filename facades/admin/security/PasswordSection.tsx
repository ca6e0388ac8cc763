import { Button, Stack, VisuallyHidden } from '@mantine/core'
import { api, queryClient } from '../api.ts'
import { EndTokensField, HandleField, NewPasswordField, PasswordField } from '../auth/fields.tsx'
import { sessionOptions, useSession } from '../session.ts'
import { notifySuccess } from '../ui/notify.ts'
import { Section } from '../ui/Section.tsx'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { useConfirmedMutation } from './confirmation.tsx'

/** Changes the password, or sets one on an account that has none. */
export const PasswordSection = () => {
  const { handle, has_password } = useSession()
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { current_password: '', password: '', end_tokens: false } },
    api.accounts.setPassword.mutationOptions({
      onSuccess: (_, { end_tokens }) => {
        form.reset()
        notifySuccess(
          end_tokens
            ? 'Password saved. You are signed out everywhere else, and all tokens are revoked.'
            : 'Password saved. You are signed out everywhere else.',
        )
        return Promise.all([
          queryClient.invalidateQueries({ queryKey: sessionOptions.queryKey }),
          queryClient.invalidateQueries(api.sessions.list.pathFilter()),
          queryClient.invalidateQueries(api.tokens.pathFilter()),
        ])
      },
    }),
    useConfirmedMutation,
  )
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
        {...props(({ current_password, ...values }) =>
          has_password ? { current_password, ...values } : values,
        )}
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
          {failure}
          <Button type="submit" variant="default" loading={mutation.isPending} style={{ alignSelf: 'start' }}>
            {has_password ? 'Change password' : 'Set password'}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
