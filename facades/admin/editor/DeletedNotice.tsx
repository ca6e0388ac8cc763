import { Alert, Button, Group, Text } from '@mantine/core'
import { IconTrashOff } from '@tabler/icons-react'
import { failureOf } from '../feedback/failure.ts'

/** Whether an error says that the page or part being edited no longer exists. */
export const isDeletedError = (error: unknown): boolean =>
  Boolean(error) && ['page_not_found', 'part_not_found'].includes(failureOf(error).code ?? '')

interface DeletedNoticeProps {
  /** What was deleted: "page" or "part". */
  what: string
  onSaveAsNew: () => void
}

/** Says that the page or part being edited was deleted, and offers to save your text as a new one. */
export const DeletedNotice = ({ what, onSaveAsNew }: DeletedNoticeProps) => (
  <Alert color="yellow" mb="md" icon={<IconTrashOff aria-hidden />} role="alert">
    <Group justify="space-between" gap="sm">
      <Text size="sm">Someone deleted this {what}. Your text is still here.</Text>
      <Button size="compact-sm" variant="default" onClick={onSaveAsNew}>
        Save as a new {what}
      </Button>
    </Group>
  </Alert>
)
