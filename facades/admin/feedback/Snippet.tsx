import { Box, Code, Group, Text } from '@mantine/core'
import { CopyButton } from './CopyButton.tsx'

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
