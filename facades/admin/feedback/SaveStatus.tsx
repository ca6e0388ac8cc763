import { Text } from '@mantine/core'
import { IconPointFilled } from '@tabler/icons-react'

interface SaveStatusProps {
  isUnsaved: boolean
  /** Whether there is something saved, which is said then too. */
  isSaved?: boolean
}

/** Says, to the eye and to a screen reader, whether what is shown has been saved. Takes no room while it says nothing. */
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
