import { Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Confirm, type ConfirmProps } from '../ui/Confirm.tsx'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import { relativeTime } from '../ui/RelativeTime.tsx'
import { type Credential, isClient, type Noun, statusOf } from './credential.ts'

const NAMES: Record<Noun, string> = { key: 'Key', token: 'Token' }

interface RevokeDialogProps {
  noun: Noun
  credential: Credential
  /** Called with the message to show afterwards. */
  onRevoke: (message: string) => void
  /** Refetches the credential. */
  refresh: () => Promise<unknown>
  mutation: ConfirmProps['mutation']
  onClose: () => void
}

/** Returns the texts of the dialog, which depend on what is being revoked. */
const textsFor = (noun: Noun, credential: Credential) => {
  const { label, hint } = credential
  if (isClient(credential))
    return {
      title: `Disconnect “${label}”?`,
      action: 'Disconnect',
      text: 'The app loses its access immediately. To use it again, connect it again.',
      message: 'App disconnected.',
    }
  if (statusOf(credential, Date.now()) === 'expired')
    return {
      title: `Delete “${label}”?`,
      action: `Delete ${noun}`,
      text: 'It has expired and no longer works. Deleting removes it from this list.',
      message: `${NAMES[noun]} deleted.`,
    }
  return {
    title: `Revoke “${label}”?`,
    action: `Revoke ${noun}`,
    text: `Anything that uses the ${noun} starting with ${hint} stops working immediately. This can’t be undone.`,
    message: `${NAMES[noun]} revoked.`,
  }
}

/** Asks for confirmation before a key or token is revoked or an app is disconnected. */
export const RevokeDialog = ({
  noun,
  credential,
  onRevoke,
  refresh,
  mutation,
  onClose,
}: RevokeDialogProps) => {
  useFocusReturn()
  const [isCurrent, setIsCurrent] = useState(false)
  // The list does not update `last_used_at` by itself, so read it again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the dialog opens
  useEffect(() => {
    void refresh().finally(() => setIsCurrent(true))
  }, [])
  const { last_used_at } = credential
  const { title, action, text, message } = textsFor(noun, credential)
  return (
    <Confirm
      opened
      onClose={onClose}
      title={title}
      action={action}
      onConfirm={() => onRevoke(message)}
      mutation={mutation}
    >
      <Stack gap="xs">
        <Text>{text}</Text>
        <Text c="dimmed" size="sm">
          {!isCurrent
            ? 'Checking when it was last used…'
            : last_used_at === null
              ? 'No use recorded yet.'
              : `It was last used ${relativeTime(last_used_at)}.`}
        </Text>
      </Stack>
    </Confirm>
  )
}
