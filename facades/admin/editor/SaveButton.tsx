import { Button, Text, Tooltip } from '@mantine/core'
import { IconPointFilled } from '@tabler/icons-react'

interface SaveButtonProps {
  isUnsaved: boolean
  /** The names of the parts that have unsaved changes, if nothing else has. */
  unsavedIn?: readonly string[]
  /** The button's text before the first save, such as "Create page"; undefined afterwards. */
  createLabel?: string | undefined
  isSaving: boolean
  /** Set while a conflict is open. */
  isDisabled?: boolean
  onSave: () => void
}

const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘S' : 'Ctrl+S'

/** A Save button with the save status beside it. */
export const SaveButton = ({
  isUnsaved,
  unsavedIn = [],
  createLabel,
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
      // An empty status takes no space, but stays in the document so that screen readers announce a new one.
      pos={createLabel && !isUnsaved && !isSaving ? 'absolute' : 'static'}
      style={{ alignItems: 'center', gap: 2 }}
    >
      {isSaving ? (
        'Saving…'
      ) : isUnsaved ? (
        <>
          <IconPointFilled size={14} color="var(--mantine-color-yellow-7)" aria-hidden />
          Unsaved changes{unsavedIn.length > 0 && ` in the part ${unsavedIn.join(' and ')}`}
        </>
      ) : (
        !createLabel && 'All changes saved'
      )}
    </Text>
    <Tooltip label={SHORTCUT} withinPortal={false}>
      <Button onClick={onSave} loading={isSaving} disabled={isDisabled} aria-keyshortcuts="Control+S Meta+S">
        {createLabel ?? 'Save'}
      </Button>
    </Tooltip>
  </>
)
