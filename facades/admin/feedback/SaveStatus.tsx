import { Text } from '@mantine/core'
import { IconPointFilled } from '@tabler/icons-react'

interface SaveStatusProps {
  isUnsaved: boolean
  /** Whether to say "All changes saved". */
  isSaved?: boolean
}

/** Shows and announces whether there are unsaved changes. Takes up no space while empty. */
export const SaveStatus = ({ isUnsaved, isSaved = false }: SaveStatusProps) => (
  <span role="status">
    {(isUnsaved || isSaved) && (
      <Text
        size="sm"
        c="dimmed"
        px="xs"
        span
        style={{ display: 'inline-flex', alignItems: 'center', gap: 2 }}
      >
        {isUnsaved && <IconPointFilled size={14} color="var(--mantine-color-yellow-7)" aria-hidden />}
        {isUnsaved ? 'Unsaved changes' : 'All changes saved'}
      </Text>
    )}
  </span>
)
