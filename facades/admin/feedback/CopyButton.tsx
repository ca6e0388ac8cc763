import { Button, type ButtonProps, CopyButton as Copying, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

interface CopyButtonProps extends ButtonProps {
  value: string
  /** What is copied, for the button's name: "Copy key". */
  what: string
  /** Called when it has been copied. */
  onCopy?: () => void
}

/** Copies a text and says so, to the eye and to a screen reader. */
export const CopyButton = ({ value, what, onCopy, ...props }: CopyButtonProps) => (
  <Copying value={value} timeout={3000}>
    {({ copied, copy }) => (
      <>
        <Button
          variant="light"
          size="compact-sm"
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={() => {
            copy()
            onCopy?.()
          }}
          aria-label={`Copy ${what}`}
          {...props}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <VisuallyHidden role="status">{copied ? `Copied ${what}` : ''}</VisuallyHidden>
      </>
    )}
  </Copying>
)
