import { Box, Code, Group, Text } from '@mantine/core'
import { CopyButton } from './CopyButton.tsx'

/** Lines to paste somewhere, with a button that copies them. */
export const Snippet = ({ label, text }: { label: string; text: string }) => (
  <Box>
    <Group justify="space-between" mb={4}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <CopyButton value={text} what={label} />
    </Group>
    {/* What does not fit is scrolled to, by keyboard too. */}
    <Code block tabIndex={0} role="region" aria-label={label}>
      {text}
    </Code>
  </Box>
)
