import { Alert, Button, FileButton, Group, Modal, Stack, Text } from '@mantine/core'
import { IconFile, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import type { Outputs } from '../api.ts'
import { DialogActions } from '../feedback/DialogActions.tsx'
import { formatBytes } from '../feedback/format-bytes.ts'
import { extensionOf } from './extension.ts'

interface ReplaceFileProps {
  file: Outputs['files']['get']
  onClose: () => void
  onReplace: (content: File) => void
}

/** The dialog that replaces a file's content with another file. */
export const ReplaceFile = ({ file, onClose, onReplace }: ReplaceFileProps) => {
  const [chosen, setChosen] = useState<File | null>(null)
  const hasOtherExtension = chosen !== null && extensionOf(chosen.name) !== extensionOf(file.name)
  return (
    <Modal opened onClose={onClose} title={`Replace ${shownText(file.name)}`} centered>
      <Stack>
        <Text size="sm">
          The name and address stay the same, so pages need no change. Browsers may show the old content for
          up to 5 minutes. You can restore the old content from the history.
        </Text>
        <Group>
          <FileButton onChange={setChosen}>
            {props => (
              <Button variant="default" leftSection={<IconFile size={18} aria-hidden />} {...props}>
                {chosen ? 'Choose another file' : 'Choose a file'}
              </Button>
            )}
          </FileButton>
          <Text size="sm" role="status">
            {chosen && `${chosen.name}, ${formatBytes(chosen.size)}`}
          </Text>
        </Group>
        {hasOtherExtension && (
          <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
            <Text size="sm">
              The new file seems to be of a different type. Browsers go by the name, which stays{' '}
              {shownText(file.name)}. Rename the file afterwards if needed.
            </Text>
          </Alert>
        )}
        <DialogActions onCancel={onClose}>
          <Button disabled={!chosen} onClick={() => chosen && onReplace(chosen)}>
            Replace file
          </Button>
        </DialogActions>
      </Stack>
    </Modal>
  )
}
