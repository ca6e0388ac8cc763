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

/** Asks whether a new file replaces the existing file with the same name. */
export const NameTaken = ({ name, otherName, onReplace, onKeepBoth, onCancel }: NameTakenProps) => (
  <Modal opened onClose={onCancel} title={`Replace ${name}?`} centered>
    <Stack>
      <Text size="sm">
        The space has a file named {name}. Replacing it changes it wherever it is used. If you keep both, the
        new file is named {otherName}.
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
