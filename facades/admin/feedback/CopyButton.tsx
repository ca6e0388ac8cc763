import { Button, type ButtonProps, Text, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** Milliseconds for which it says that something has been copied. */
const SAID = 3000

interface CopyButtonProps extends ButtonProps {
  value: string
  /** What is copied, for the button's name: "Copy key". */
  what: string
  /** Called when it has been asked for. */
  onCopy?: () => void
}

/** Copies a text and says so, or that the browser does not allow it, to the eye and to a screen reader. */
export const CopyButton = ({ value, what, onCopy, ...props }: CopyButtonProps) => {
  const { copy, copied, error } = useClipboard({ timeout: SAID })
  return (
    <>
      <Button
        variant="light"
        size="compact-sm"
        leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        onClick={() => {
          copy(value)
          onCopy?.()
        }}
        aria-label={`Copy ${what}`}
        {...props}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
      {error ? (
        <Text size="sm" role="alert">
          The browser does not allow copying here. Select it and copy it by hand.
        </Text>
      ) : (
        <VisuallyHidden role="status">{copied ? `Copied ${what}` : ''}</VisuallyHidden>
      )}
    </>
  )
}
