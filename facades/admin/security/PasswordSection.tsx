import { Button, Stack, VisuallyHidden } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api, queries } from '../api.ts'
import { HandleField, NewPasswordField, PasswordField } from '../auth/fields.tsx'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { showErrors } from '../feedback/form-errors.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { sessionOptions, useSession } from '../session.ts'
import { Section } from '../shell/Section.tsx'

const FIELDS = ['current_password', 'password'] as const

/** Changes the password, or sets the first one. */
export const PasswordSection = () => {
  const { handle, has_password } = useSession()
  const form = useForm({ initialValues: { current_password: '', password: '' } })
  const setPassword = useMutation(
    api.accounts.setPassword.mutationOptions({
      onSuccess: () => {
        form.reset()
        notifySuccess('Your password is set, and you are signed out everywhere else')
        return Promise.all([
          queries.invalidateQueries({ queryKey: sessionOptions.queryKey }),
          queries.invalidateQueries(api.sessions.list.pathFilter()),
        ])
      },
      onError: error => showErrors(form, error, FIELDS),
    }),
  )
  return (
    <Section
      title="Password"
      text={
        has_password
          ? 'Changing it signs you out everywhere else.'
          : 'You have none yet. With one you can sign in by your handle.'
      }
    >
      <form
        onSubmit={form.onSubmit(({ current_password, password }) =>
          setPassword.mutate(has_password ? { current_password, password } : { password }),
        )}
        noValidate
      >
        <Stack maw="24rem">
          {/* For password managers, which keep a password together with its handle. */}
          <VisuallyHidden aria-hidden>
            <HandleField value={handle} readOnly tabIndex={-1} />
          </VisuallyHidden>
          {has_password && (
            <PasswordField label="Current password" {...form.getInputProps('current_password')} />
          )}
          <NewPasswordField label="New password" {...form.getInputProps('password')} />
          <FormFailure error={setPassword.error} names={FIELDS} />
          <Button
            type="submit"
            variant="default"
            loading={setPassword.isPending}
            style={{ alignSelf: 'start' }}
          >
            {has_password ? 'Change the password' : 'Set the password'}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
