import { Anchor, Button, Checkbox, Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { DialogActions } from '../ui/Confirm.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { failureOf, fieldErrors } from '../ui/failure.ts'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import type { Noun } from './credential.ts'

const FIELDS = ['label', 'scopes', 'expires_in_days'] as const
const NEVER = ''

const date = new Intl.DateTimeFormat('en', { dateStyle: 'long' })
/** Formats the expiry date of a key or token created now. */
const expiryDate = (days: number) => date.format(new Date(Date.now() + days * 24 * 60 * 60 * 1000))

const EXPIRY_OPTIONS = [
  { value: NEVER, label: 'Never' },
  ...limits.keyDays.map(days => ({ value: String(days), label: `In ${days} days` })),
]

/** Values of the form. */
export interface NewCredential<Scope extends string> {
  label: string
  scopes: Scope[]
  expires_in_days: (typeof limits.keyDays)[number] | null
}

interface IssueDialogProps<Scope extends string> {
  noun: Noun
  /** All scopes with their descriptions. */
  scopes: Readonly<Record<Scope, string>>
  /** Scopes selected by default. */
  defaultScopes: readonly Scope[]
  labelExample: string
  onIssue: (values: NewCredential<Scope>) => void
  isPending: boolean
  error: unknown
  onClose: () => void
}

/** Dialog for creating a key or token. */
export const IssueDialog = <Scope extends string>({
  noun,
  scopes,
  defaultScopes,
  labelExample,
  onIssue,
  isPending,
  error,
  onClose,
}: IssueDialogProps<Scope>) => {
  useFocusReturn()
  const form = useForm({ initialValues: { label: '', scopes: [...defaultScopes], expires_in_days: NEVER } })
  const { setErrors } = form
  useEffect(() => {
    if (error) setErrors(fieldErrors(failureOf(error), FIELDS))
  }, [error, setErrors])
  // At the limit, the dialog shows a link that opens the list in a new tab, so that the values typed here are kept.
  const isLimitReached = error ? failureOf(error).code === `too_many_${noun}s` : false
  const days = limits.keyDays.find(days => String(days) === form.values.expires_in_days) ?? null
  return (
    <Modal opened onClose={() => !isPending && onClose()} title={`New ${noun}`} centered size="lg">
      <form
        noValidate
        onSubmit={form.onSubmit(({ label, scopes }) => onIssue({ label, scopes, expires_in_days: days }))}
      >
        <Stack>
          <TextInput
            label="Label"
            description={`Enter what will use this ${noun}, so that you know what stops working if you revoke it.`}
            placeholder={labelExample}
            required
            withAsterisk={false}
            data-autofocus
            {...form.getInputProps('label')}
          />
          <Checkbox.Group
            label="Permissions"
            description={`You can’t change permissions later; create a new ${noun} instead.`}
            {...form.getInputProps('scopes')}
          >
            <Stack gap="xs" mt="xs" mb={6}>
              {Object.entries<string>(scopes).map(([scope, words]) => (
                <Checkbox key={scope} value={scope} label={words} description={scope} />
              ))}
            </Stack>
          </Checkbox.Group>
          <NativeSelect
            label="Expires"
            description={
              days === null
                ? noun === 'key'
                  ? 'It works until it is revoked or you leave the space.'
                  : 'It works until you revoke it.'
                : `It stops working on ${expiryDate(days)}.`
            }
            data={EXPIRY_OPTIONS}
            {...form.getInputProps('expires_in_days')}
          />
          <FormFailure error={error} names={FIELDS} />
          {isLimitReached && (
            <Anchor
              href={window.location.pathname}
              target="_blank"
              rel="noopener"
              underline="always"
              size="sm"
            >
              Open your {noun}s in a new tab
            </Anchor>
          )}
          <DialogActions onCancel={onClose} isBusy={isPending}>
            <Button type="submit" loading={isPending}>
              Create {noun}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}
