import { Anchor, Button, Checkbox, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect } from 'react'
import { limits } from '../../../routers/core/rules.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf, fieldErrors } from '../feedback/failure.ts'
import { useFocusReturn } from '../feedback/use-focus-return.ts'
import type { Noun } from './credential.ts'

const FIELDS = ['label', 'scopes', 'expires_in_days'] as const
const NEVER = ''

const date = new Intl.DateTimeFormat('en', { dateStyle: 'long' })
/** The day on which something ends that is issued now. */
const endOf = (days: number) => date.format(new Date(Date.now() + days * 24 * 60 * 60 * 1000))

const ENDS = [
  { value: NEVER, label: 'Never' },
  ...limits.keyDays.map(days => ({ value: String(days), label: `In ${days} days` })),
]

/** What a key or token is issued with. */
export interface NewCredential<Scope extends string> {
  label: string
  scopes: Scope[]
  expires_in_days: (typeof limits.keyDays)[number] | null
}

interface IssueDialogProps<Scope extends string> {
  noun: Noun
  /** Each scope there is, in plain words. */
  scopes: Readonly<Record<Scope, string>>
  /** Scopes that are chosen in the beginning. */
  suggested: readonly Scope[]
  labelExample: string
  onIssue: (values: NewCredential<Scope>) => void
  isPending: boolean
  error: unknown
  onClose: () => void
}

/** Asks what a new key or token is for, what it may do, and for how long. */
export const IssueDialog = <Scope extends string>({
  noun,
  scopes,
  suggested,
  labelExample,
  onIssue,
  isPending,
  error,
  onClose,
}: IssueDialogProps<Scope>) => {
  useFocusReturn()
  const form = useForm({ initialValues: { label: '', scopes: [...suggested], expires_in_days: NEVER } })
  const { setErrors } = form
  useEffect(() => {
    if (error) setErrors(fieldErrors(failureOf(error), FIELDS))
  }, [error, setErrors])
  // What was typed stays here while room is made there.
  const isFull = error ? failureOf(error).code === `too_many_${noun}s` : false
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
            description={`What will use it, so that you know later what stops when you revoke this ${noun}.`}
            placeholder={labelExample}
            maxLength={limits.keyLabel}
            required
            withAsterisk={false}
            data-autofocus
            {...form.getInputProps('label')}
          />
          <Checkbox.Group
            label="It may"
            description="This stays as it is. To change it later, issue another one."
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
                ? `It works until somebody revokes it${noun === 'key' ? ', or you leave the space' : ''}.`
                : `It stops by itself on ${endOf(days)}.`
            }
            data={ENDS}
            {...form.getInputProps('expires_in_days')}
          />
          <FormFailure error={error} names={FIELDS} />
          {isFull && (
            <Anchor
              href={window.location.pathname}
              target="_blank"
              rel="noopener"
              underline="always"
              size="sm"
            >
              Open the list in another tab
            </Anchor>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Issue {noun}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
