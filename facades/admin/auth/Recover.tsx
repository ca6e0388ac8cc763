import { Button, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { useFormMutation } from '../feedback/use-form-mutation.tsx'
import { TextLink } from '../shell/ButtonLink.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { HandleField, RecoveryCodeField } from './fields.tsx'
import { SetPasswordAfterRecovery } from './SetPasswordAfterRecovery.tsx'

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
