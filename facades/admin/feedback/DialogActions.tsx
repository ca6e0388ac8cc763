import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

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
