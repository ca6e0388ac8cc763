import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { FormFailure } from './FormFailure.tsx'

export interface ConfirmProps {
  opened: boolean
  onClose: () => void
  title: string
  /** What will happen. */
  children: ReactNode
  /** Label of the button: "Delete page". */
  action: string
  onConfirm: () => void
  /** What `onConfirm` starts. The dialog shows its progress and its error, and forgets the error when it is closed. */
  mutation?: { isPending: boolean; error: unknown; reset: () => void }
  /** Text that must be typed first, for permanent deletions. */
  typed?: string
}

/** Asks for confirmation before a destructive action. */
export const Confirm = ({
  opened,
  onClose,
  title,
  children,
  action,
  onConfirm,
  mutation,
  typed,
}: ConfirmProps) => {
  const [text, setText] = useState('')
  // A dialog that opens again begins anew, whoever has closed it.
  if (!opened && text !== '') setText('')
  const isPending = mutation?.isPending ?? false
  const isReady = typed === undefined || text === typed
  const close = () => {
    // A running request can't be cancelled. When it ends, the dialog closes or shows the error.
    if (isPending) return
    mutation?.reset()
    onClose()
  }
  return (
    <Modal opened={opened} onClose={close} title={title} centered>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (isReady) onConfirm()
        }}
      >
        <Stack>
          <div>{children}</div>
          {typed !== undefined && (
            <TextInput
              label={
                <Text span size="sm">
                  Type <b>{typed}</b> to confirm
                </Text>
              }
              value={text}
              onChange={event => setText(event.currentTarget.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              data-autofocus
            />
          )}
          <FormFailure error={mutation?.error} />
          <DialogActions onCancel={close} isBusy={isPending}>
            <Button type="submit" color="red" loading={isPending} disabled={!isReady}>
              {action}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}

interface DialogActionsProps {
  onCancel: () => void
  /** Whether the action is in progress and can't be cancelled. */
  isBusy?: boolean
  /** The button that performs the action. */
  children: ReactNode
}

/** The buttons at the end of a dialog. */
export const DialogActions = ({ onCancel, isBusy = false, children }: DialogActionsProps) => (
  <Group justify="flex-end">
    <Button variant="default" onClick={onCancel} disabled={isBusy}>
      Cancel
    </Button>
    {children}
  </Group>
)
