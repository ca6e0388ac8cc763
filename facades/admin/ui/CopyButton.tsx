import { Box, Button, type ButtonProps, Code, Group, Text, VisuallyHidden } from '@mantine/core'
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

/** A block of text with a copy button. */
export const Snippet = ({ label, text }: { label: string; text: string }) => (
  <Box>
    <Group justify="space-between" mb={4}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <CopyButton value={text} what={label} />
    </Group>
    {/* Focusable, so that it can be scrolled with the keyboard. */}
    <Code block tabIndex={0} role="region" aria-label={label}>
      {text}
    </Code>
  </Box>
)
