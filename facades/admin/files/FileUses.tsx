import { Modal, Stack, Text } from '@mantine/core'
import { shownText } from '../../../routers/api/shown-text.ts'
import type { Outputs } from '../api.ts'
import { FileMentions } from './FileMentions.tsx'

/** Shows where a file is used. */
export const FileUses = ({ file, onClose }: { file: Outputs['files']['get']; onClose: () => void }) => (
  <Modal opened onClose={onClose} title={`Where ${shownText(file.name)} is used`} centered>
    <Stack gap="sm">
      <FileMentions fileId={file.id} />
      <Text size="sm" c="dimmed">
        Templates that look the file up by its name are not listed.
      </Text>
    </Stack>
  </Modal>
)
