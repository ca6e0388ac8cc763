import { Alert, Button, Group, Text } from '@mantine/core'
import { IconTrashOff } from '@tabler/icons-react'
import { failureOf } from '../feedback/failure.ts'

/** Whether an error says that what is being changed is there no longer. */
export const isGone = (error: unknown): boolean =>
  Boolean(error) && ['page_not_found', 'part_not_found'].includes(failureOf(error).code ?? '')

interface GoneProps {
  /** What was deleted: "page", "part". */
  what: string
  /** Makes a new one of what is in the editor. */
  onKeep: () => void
}

/** Says that somebody has deleted what is being changed, and keeps what was written. */
export const Gone = ({ what, onKeep }: GoneProps) => (
  <Alert color="yellow" mb="md" icon={<IconTrashOff aria-hidden />} role="alert">
    <Group justify="space-between" gap="sm">
      <Text size="sm">Somebody deleted this {what}. Your text is still here.</Text>
      <Button size="compact-sm" variant="default" onClick={onKeep}>
        Save it as a new {what}
      </Button>
    </Group>
  </Alert>
)
