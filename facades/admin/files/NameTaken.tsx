import { Button, Checkbox, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { DialogActions } from '../feedback/DialogActions.tsx'

interface NameTakenProps {
  name: string
  /** The name that the new file gets if both are kept. */
  otherName: string
  /** How many other files also have names that are taken. */
  others: number
  /** One callback for each answer. `forAll`: whether the answer also applies to the `others`. */
  onReplace: (forAll: boolean) => void
  onKeepBoth: (forAll: boolean) => void
  onCancel: (forAll: boolean) => void
}

/** Asks whether a new file replaces the existing file with the same name. */
export const NameTaken = ({ name, otherName, others, onReplace, onKeepBoth, onCancel }: NameTakenProps) => {
  const [forAll, setForAll] = useState(false)
  return (
    <Modal opened onClose={() => onCancel(forAll)} title={`Replace ${shownText(name)}?`} centered>
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          The space has a file named {shownText(name)}. If you replace it, the new content appears wherever
          the file is used. If you keep both, the new file is named {shownText(otherName)}.
        </Text>
        {others > 0 && (
          <Checkbox
            label={others === 1 ? 'Do the same for one more file' : `Do the same for ${others} more files`}
            checked={forAll}
            onChange={event => setForAll(event.currentTarget.checked)}
          />
        )}
        <DialogActions onCancel={() => onCancel(forAll)}>
          <Button variant="default" onClick={() => onReplace(forAll)}>
            Replace file
          </Button>
          <Button onClick={() => onKeepBoth(forAll)} data-autofocus>
            Keep both
          </Button>
        </DialogActions>
      </Stack>
    </Modal>
  )
}
