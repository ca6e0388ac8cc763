import { Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { showErrors } from '../feedback/form-errors.ts'
import { DoorTitle } from './DoorTitle.tsx'
import { NewPasswordField } from './fields.tsx'
import type { Returning } from './returning.ts'
import { useEnter } from './use-enter.ts'

const FIELDS = ['password'] as const

interface RecoveredProps {
  handle: string
  codes_left: number
  /** Where one wanted to go. */
  wanted: Returning
}

const leftInWords = (left: number) =>
  left === 0
    ? 'That was your last recovery code: make new ones under Security.'
    : left === 1
      ? 'One recovery code is left: make new ones under Security soon.'
      : `${left} recovery codes are left.`

/** After signing in with a recovery code: a new password, without the old one, for as long as the session allows. */
export const Recovered = ({ handle, codes_left, wanted }: RecoveredProps) => {
  const enter = useEnter()
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
        <DoorTitle title="Set a new password" takesOver>
          You are signed in as <b>{handle}</b>. Within ten minutes you can set a new password without the old
          one.
        </DoorTitle>
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
