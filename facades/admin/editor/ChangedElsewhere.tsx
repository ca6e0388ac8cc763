import { Alert, Button, Group, Text } from '@mantine/core'
import { IconUserEdit } from '@tabler/icons-react'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import type { Editing, Fields, Stored } from './use-editing.ts'

interface ChangedElsewhereProps<F extends Fields> {
  editing: Editing<F>
  /** As it is stored now, as far as is known. */
  newest: Stored<F>
  what: string
}

/** Says that somebody else has saved since, before one saves oneself. */
export const ChangedElsewhere = <F extends Fields>({ editing, newest, what }: ChangedElsewhereProps<F>) => {
  const { base, isUnsaved, saving } = editing
  const isNewer =
    newest.updated_at !== null && base.updated_at !== null && newest.updated_at > base.updated_at
  if (!isNewer || saving.isPending) return null
  return (
    <Alert color="yellow" icon={<IconUserEdit aria-hidden />} role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Somebody else saved this {what} <RelativeTime at={newest.updated_at ?? ''} />.
        </Text>
        {isUnsaved ? (
          <Button size="compact-sm" variant="default" onClick={() => editing.compare(newest)}>
            Compare with yours
          </Button>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => editing.takeTheirs(newest)}>
            Show the newest
          </Button>
        )}
      </Group>
    </Alert>
  )
}
