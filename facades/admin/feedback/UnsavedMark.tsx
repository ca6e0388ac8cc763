import { Badge } from '@mantine/core'

/** Says, to the eye and to a screen reader, that what is shown has not been saved yet. */
export const UnsavedMark = ({ isUnsaved }: { isUnsaved: boolean }) => (
  <span role="status">
    {isUnsaved && (
      <Badge variant="dot" color="yellow" tt="none" fw={500} size="lg">
        Unsaved changes
      </Badge>
    )}
  </span>
)
