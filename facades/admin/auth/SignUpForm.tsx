import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { api, type Outputs } from '../api.ts'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { NewHandleField, NewPasswordField } from './fields.tsx'

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
  const { form, mutation, props, failure } = useFormMutation(
    {
      initialValues: { handle: '', password: '' },
      codes: { handle_taken: { field: 'handle', message: 'This handle is taken. Choose another one.' } },
    },
    api.accounts.signUp.mutationOptions({ onSuccess: onSignedUp }),
  )
  return (
    <form
      {...props(values => ({
        ...values,
        ...(invite === undefined ? {} : { invite }),
        ...(set_up === undefined ? {} : { set_up }),
      }))}
    >
      <Stack>
        <NewHandleField autoFocus {...form.getInputProps('handle')} />
        <NewPasswordField {...form.getInputProps('password')} />
        {failure}
        <Button type="submit" loading={mutation.isPending}>
          {action}
        </Button>
        {children}
      </Stack>
    </form>
  )
}
