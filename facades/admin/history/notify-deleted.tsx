import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { client, queries } from '../api.ts'
import { notifyFailure, notifySuccess } from '../feedback/notify.ts'
import type { ChangeKind } from './history-search.ts'

/** How long the notification offers to undo a deletion, in ms. */
const OFFERED = 10_000

interface Deleted {
  subdomain: string
  kind: ChangeKind
  /** The id of the deleted item, or a record's key. */
  thing: string
  /** What was deleted, such as "Page about-us". */
  title: string
}

/** Restores an item that was just deleted. */
const bringBack = async ({ subdomain, kind, thing, title }: Deleted) => {
  try {
    const { changes } = await client.history.list.query({ subdomain, kind, thing })
    const [last] = changes
    if (last?.action === 'delete')
      await client.history.restore.mutate({ subdomain, change_id: last.id, side: 'before' })
    await queries.invalidateQueries()
    notifySuccess(`${title} is back`)
  } catch (error) {
    notifyFailure(error)
  }
}

/** Shows a notification that an item was deleted. For ten seconds it offers to undo that. */
export const notifyDeleted = (deleted: Deleted): void => {
  const id = `deleted ${deleted.kind} ${deleted.thing}`
  notifications.show({
    id,
    color: 'leaf',
    autoClose: OFFERED,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {deleted.title} deleted
        </Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id)
            void bringBack(deleted)
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  })
}
