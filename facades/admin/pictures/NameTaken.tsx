import { Button, Modal, Stack, Text } from '@mantine/core'
import { DialogActions } from '../feedback/DialogActions.tsx'

interface NameTakenProps {
  name: string
  /** The name that the new file gets if both are kept. */
  otherName: string
  onReplace: () => void
  onKeepBoth: () => void
  onCancel: () => void
}

/** Asks what happens to a file that has the name of a new one. */
export const NameTaken = ({ name, otherName, onReplace, onKeepBoth, onCancel }: NameTakenProps) => (
  <Modal opened onClose={onCancel} title={`Replace ${name}?`} centered>
    <Stack>
      <Text size="sm">
        The space has a file named {name}. Replacing it changes it everywhere. If you keep both, the new file
        is named {otherName}.
      </Text>
      <DialogActions onCancel={onCancel}>
        <Button variant="default" onClick={onReplace}>
          Replace file
        </Button>
        <Button onClick={onKeepBoth} data-autofocus>
          Keep both
        </Button>
      </DialogActions>
    </Stack>
  </Modal>
)
