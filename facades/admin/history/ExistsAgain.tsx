import { Alert, Button, Group, Text } from '@mantine/core'
import { shownText } from '../../../routers/api/shown-text.ts'
import { type Change, titleOf } from './describe.ts'
import type { Restore } from './use-restore.ts'

/** Says that a deleted item exists again, and offers to replace it with the deleted version. */
export const ExistsAgain = ({ restore, change }: { restore: Restore; change: Change }) => (
  <Alert color="yellow" role="status" title={`${shownText(titleOf(change))} exists again`}>
    <Group justify="space-between" gap="sm">
      <Text size="sm" style={{ flex: '1 1 14rem' }}>
        Nothing was restored. Below, the deleted version is beside the current one. If you replace the current
        version, it stays in the history.
      </Text>
      <Button variant="default" loading={restore.isPending} onClick={restore.replace}>
        Replace the current version
      </Button>
    </Group>
  </Alert>
)
