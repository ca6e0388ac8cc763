import { Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { DialogActions } from './DialogActions.tsx'
import { FormFailure } from './FormFailure.tsx'

interface ConfirmProps {
  opened: boolean
  onClose: () => void
  title: string
  /** What will happen. */
  children: ReactNode
  /** Label of the button: "Delete page". */
  action: string
  onConfirm: () => void
  pending?: boolean
  error?: unknown
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
  pending,
  error,
  typed,
}: ConfirmProps) => {
  const [text, setText] = useState('')
  const isReady = typed === undefined || text === typed
  const close = () => {
    // A running request can't be cancelled. When it ends, the dialog closes or shows the error.
    if (pending) return
    setText('')
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
          <FormFailure error={error} />
          <DialogActions onCancel={close} isBusy={pending ?? false}>
            <Button type="submit" color="red" loading={pending ?? false} disabled={!isReady}>
              {action}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}
