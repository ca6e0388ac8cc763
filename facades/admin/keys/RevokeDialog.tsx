import { Stack, Text } from '@mantine/core'
import { Confirm } from '../feedback/Confirm.tsx'
import { relativeTime } from '../feedback/RelativeTime.tsx'
import { useFocusReturn } from '../feedback/use-focus-return.ts'
import { type Credential, isClient, type Noun, statusOf } from './credential.ts'

interface RevokeDialogProps {
  noun: Noun
  credential: Credential
  /** Gets what is to be said when it is done. */
  onRevoke: (done: string) => void
  isPending: boolean
  error: unknown
  onClose: () => void
}

/** What is asked and said, by what ends. */
const wordsFor = (noun: Noun, credential: Credential) => {
  const { label, hint } = credential
  if (isClient(credential))
    return {
      title: `Disconnect “${label}”?`,
      action: 'Disconnect',
      text: 'It can do nothing in your name from now on. To let it in again, connect it once more from the client.',
      done: 'The client has been disconnected.',
    }
  if (statusOf(credential, Date.now()) === 'ended')
    return {
      title: `Delete “${label}”?`,
      action: `Delete ${noun}`,
      text: 'It has expired and opens nothing. Deleting takes it off this list.',
      done: `The ${noun} has been deleted.`,
    }
  return {
    title: `Revoke “${label}”?`,
    action: `Revoke ${noun}`,
    text: `Whatever uses the ${noun} that begins with ${hint} stops working at once. This cannot be undone.`,
    done: `The ${noun} has been revoked.`,
  }
}

/** Asks before a key, a token or a client's connection is ended. */
export const RevokeDialog = ({
  noun,
  credential,
  onRevoke,
  isPending,
  error,
  onClose,
}: RevokeDialogProps) => {
  useFocusReturn()
  const { last_used_at } = credential
  const { title, action, text, done } = wordsFor(noun, credential)
  return (
    <Confirm
      opened
      onClose={onClose}
      title={title}
      action={action}
      onConfirm={() => onRevoke(done)}
      pending={isPending}
      error={error}
    >
      <Stack gap="xs">
        <Text>{text}</Text>
        <Text c="dimmed" size="sm">
          {last_used_at === null
            ? 'It has never been used.'
            : `It was last used ${relativeTime(last_used_at)}.`}
        </Text>
      </Stack>
    </Confirm>
  )
}
