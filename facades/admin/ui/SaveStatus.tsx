import { Text } from '@mantine/core'
import { IconCheck, IconPointFilled } from '@tabler/icons-react'
import classes from './SaveStatus.module.css'

interface SaveStatusProps {
  isUnsaved: boolean
  /** Whether to say "All changes saved". */
  isSaved?: boolean
}

/** Shows and announces whether there are unsaved changes. Takes up no space while empty. */
export const SaveStatus = ({ isUnsaved, isSaved = false }: SaveStatusProps) => (
  <span role="status">
    {(isUnsaved || isSaved) && (
      // A new element for each text, so that the animation draws attention to the change.
      <Text key={String(isUnsaved)} size="sm" c="dimmed" px="xs" span className={classes.status ?? ''}>
        {isUnsaved ? (
          <IconPointFilled size={14} color="var(--mantine-color-yellow-7)" aria-hidden />
        ) : (
          <IconCheck size={14} color="var(--link)" aria-hidden />
        )}
        {isUnsaved ? 'Unsaved changes' : 'All changes saved'}
      </Text>
    )}
  </span>
)
