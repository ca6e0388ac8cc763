import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, type Outputs } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf } from '../feedback/failure.ts'
import { showErrors } from '../feedback/form-errors.ts'
import { NewHandleField, NewPasswordField } from './fields.tsx'

const FIELDS = ['handle', 'password'] as const

interface SignUpFormProps {
  /** Token of an invitation. */
  invite?: string
  /** Token of the set-up link. */
  set_up?: string
  /** Label of the button. */
  action: string
  children?: ReactNode
  onSignedUp: (account: Outputs['accounts']['signUp']) => void
}

/** Creates an account with a handle and a password. */
export const SignUpForm = ({ invite, set_up, action, children, onSignedUp }: SignUpFormProps) => {
  const form = useForm({ initialValues: { handle: '', password: '' } })
  const signUp = useMutation(
    api.accounts.signUp.mutationOptions({
      onSuccess: onSignedUp,
      onError: error => {
        if (failureOf(error).code === 'handle_taken') {
          form.setFieldError('handle', 'This handle is taken. Choose another one.')
          form.getInputNode('handle')?.focus()
        } else showErrors(form, error, FIELDS)
      },
    }),
  )
  const isTaken = signUp.error && failureOf(signUp.error).code === 'handle_taken'
  return (
    <form
      onSubmit={form.onSubmit(values =>
        signUp.mutate({
          ...values,
          ...(invite === undefined ? {} : { invite }),
          ...(set_up === undefined ? {} : { set_up }),
        }),
      )}
      noValidate
    >
      <Stack>
        <NewHandleField autoFocus {...form.getInputProps('handle')} />
        <NewPasswordField {...form.getInputProps('password')} />
        {!isTaken && <FormFailure error={signUp.error} names={FIELDS} />}
        <Button type="submit" loading={signUp.isPending}>
          {action}
        </Button>
        {children}
      </Stack>
    </form>
  )
}
