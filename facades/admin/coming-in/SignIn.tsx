import { Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDocumentTitle } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { api } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf, fieldErrors } from '../feedback/failure.ts'
import { forgetEverything } from '../session.ts'
import { TextLink } from '../shell/ButtonLink.tsx'

const route = getRouteApi('/door/sign-in')
const FIELDS = ['handle', 'password'] as const

/** Signs in with a handle and a password. */
export const SignIn = () => {
  useDocumentTitle('Sign in · Space Site')
  const { next } = route.useSearch()
  const router = useRouter()
  const form = useForm({ initialValues: { handle: '', password: '' } })
  const signIn = useMutation(
    api.sessions.create.mutationOptions({
      onSuccess: async () => {
        forgetEverything()
        await router.navigate({ to: next ?? '/', replace: true })
      },
      onError: error => form.setErrors(fieldErrors(failureOf(error), FIELDS)),
    }),
  )
  return (
    <form onSubmit={form.onSubmit(values => signIn.mutate(values))} noValidate>
      <Stack>
        <Title order={1} size="h3">
          Sign in
        </Title>
        <TextInput
          label="Handle"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          {...form.getInputProps('handle')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...form.getInputProps('password')}
        />
        <FormFailure error={signIn.error} names={FIELDS} />
        <Button type="submit" loading={signIn.isPending}>
          Sign in
        </Button>
        <Text size="sm" c="dimmed" ta="center">
          New here? <TextLink to="/sign-up">Make an account</TextLink>
        </Text>
      </Stack>
    </form>
  )
}
