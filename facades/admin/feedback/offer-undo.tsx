import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { queries } from '../api.ts'
import { notifyFailure, notifySuccess } from './notify.ts'

/** How long the notification offers to undo a deletion, in ms. */
const OFFERED = 10_000

interface Deletion {
  /** Identifies the deleted item among all notifications. */
  id: string
  /** What was deleted, such as "Page about-us". */
  title: string
  /** What happened to it; "deleted" by default. */
  verb?: string | undefined
  undo: () => Promise<unknown>
}

/** Shows a notification that something was deleted. For ten seconds it offers to undo that. */
export const offerUndo = ({ id, title, verb = 'deleted', undo }: Deletion): void => {
  const undoNow = async () => {
    notifications.hide(id)
    try {
      await undo()
      await queries.invalidateQueries()
      notifySuccess(`${title} is back`)
    } catch (error) {
      notifyFailure(error)
    }
  }
  notifications.show({
    id,
    color: 'leaf',
    autoClose: OFFERED,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {title} {verb}
        </Text>
        <Button size="compact-sm" variant="light" onClick={() => void undoNow()}>
          Undo
        </Button>
      </Group>
    ),
  })
}
