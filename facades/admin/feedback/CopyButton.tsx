import { Button, type ButtonProps, Text, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** How long the button says "Copied", in ms. */
const COPIED_TIMEOUT = 3000

interface CopyButtonProps extends ButtonProps {
  value: string
  /** What is copied, for the accessible name: "Copy key". */
  what: string
  /** Called after a click. */
  onCopy?: () => void
}

/** A button that copies `value`. Shows and announces the result. */
export const CopyButton = ({ value, what, onCopy, ...props }: CopyButtonProps) => {
  const { copy, copied, error } = useClipboard({ timeout: COPIED_TIMEOUT })
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
          Your browser blocked copying. Select the text and copy it yourself.
        </Text>
      ) : (
        <VisuallyHidden role="status">{copied ? `Copied ${what}` : ''}</VisuallyHidden>
      )}
    </>
  )
}
