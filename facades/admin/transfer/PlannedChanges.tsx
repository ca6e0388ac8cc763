import { ScrollArea, Stack, Text } from '@mantine/core'
import type { ImportResult } from './archive-requests.ts'

const ACTIONS = [
  ['add', 'Added'],
  ['change', 'Changed'],
  ['delete', 'Deleted'],
] as const

/** Lists the changes of an import: added, changed and deleted items. */
export const PlannedChanges = ({ changes }: Pick<ImportResult, 'changes'>) => {
  if (changes.length === 0) return <Text>The space already has everything in this archive.</Text>
  return (
    <ScrollArea.Autosize mah="18rem" type="auto" tabIndex={0} role="region" aria-label="Planned changes">
      <Stack gap="sm">
        {ACTIONS.map(([action, title]) => {
          const group = changes.filter(change => change.action === action)
          return (
            group.length > 0 && (
              <div key={action}>
                <Text fw={600} size="sm">
                  {title}: {group.length}
                </Text>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {group.map(({ kind, name }) => `${kind} ${name}`).join(', ')}
                </Text>
              </div>
            )
          )
        })}
      </Stack>
    </ScrollArea.Autosize>
  )
}
