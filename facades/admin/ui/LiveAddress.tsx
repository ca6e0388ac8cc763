import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { CopyButton } from './CopyButton.tsx'

interface LiveAddressProps {
  /** Text before the address, such as "It is live at". */
  intro: string
  url: string
  /** What is copied, for the accessible name. */
  what: string
  openLabel: string
}

/** A public address, with buttons that open and copy it. */
export const LiveAddress = ({ intro, url, what, openLabel }: LiveAddressProps) => (
  <>
    <Text component="div" style={{ flex: '1 1 16rem', minWidth: 0 }}>
      {intro}{' '}
      <Anchor
        href={url}
        target="_blank"
        rel="noopener"
        fw={600}
        underline="always"
        style={{ overflowWrap: 'anywhere' }}
      >
        {url.replace(/^https?:\/\//, '')}
      </Anchor>
    </Text>
    <Group gap="xs">
      <CopyButton value={url} what={what} size="sm" variant="default" />
      <Button
        component="a"
        href={url}
        target="_blank"
        rel="noopener"
        size="sm"
        leftSection={<IconExternalLink size={18} aria-hidden />}
      >
        {openLabel}
      </Button>
    </Group>
  </>
)
