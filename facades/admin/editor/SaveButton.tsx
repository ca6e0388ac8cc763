import { Button, Text, Tooltip } from '@mantine/core'
import { IconPointFilled } from '@tabler/icons-react'

interface SaveButtonProps {
  isUnsaved: boolean
  isNew?: boolean
  isSaving: boolean
  /** While something has to be decided first. */
  isDisabled?: boolean
  onSave: () => void
}

const KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘S' : 'Ctrl+S'

/** Saves, and says whether there is anything to save. */
export const SaveButton = ({
  isUnsaved,
  isNew = false,
  isSaving,
  isDisabled = false,
  onSave,
}: SaveButtonProps) => (
  <>
    <Text
      size="sm"
      c="dimmed"
      role="status"
      display="inline-flex"
      // Without words it takes no room, but has to be there to be heard when it has some.
      pos={isNew && !isUnsaved && !isSaving ? 'absolute' : 'static'}
      style={{ alignItems: 'center', gap: 2 }}
    >
      {isSaving ? (
        'Saving'
      ) : isUnsaved ? (
        <>
          <IconPointFilled size={14} color="var(--mantine-color-yellow-7)" aria-hidden />
          Unsaved changes
        </>
      ) : (
        !isNew && 'All changes saved'
      )}
    </Text>
    <Tooltip label={KEYS} withinPortal={false}>
      <Button onClick={onSave} loading={isSaving} disabled={isDisabled} aria-keyshortcuts="Control+S Meta+S">
        Save
      </Button>
    </Tooltip>
  </>
)
