import { Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { showErrors } from '../feedback/form-errors.ts'
import { TextLink } from '../shell/ButtonLink.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { HandleField, RecoveryCodeField } from './fields.tsx'
import { SetPasswordAfterRecovery } from './SetPasswordAfterRecovery.tsx'

const route = getRouteApi('/auth/recover')
const FIELDS = ['handle', 'code'] as const

/** Signs in with a recovery code, then offers to set a new password. */
export const Recover = () => {
  const search = route.useSearch()
  const [session, setSession] = useState<Outputs['sessions']['createFromCode'] | null>(null)
  const form = useForm({ initialValues: { handle: '', code: '' } })
  const signIn = useMutation(
    api.sessions.createFromCode.mutationOptions({
      onSuccess: setSession,
      onError: error => showErrors(form, error, FIELDS),
    }),
  )
  if (session) return <SetPasswordAfterRecovery {...session} returnTo={search} />
  return (
    <form onSubmit={form.onSubmit(values => signIn.mutate(values))} noValidate>
      <Stack>
        <AuthTitle title="Use a recovery code">
          Enter one of the ten codes you saved when you created your account. Each code works once.
        </AuthTitle>
        <HandleField autoFocus {...form.getInputProps('handle')} />
        <RecoveryCodeField {...form.getInputProps('code')} />
        <FormFailure error={signIn.error} names={FIELDS} />
        <Button type="submit" loading={signIn.isPending}>
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
