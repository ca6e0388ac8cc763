import { Group, Paper, Text } from '@mantine/core'
import { LiveAddress } from '../ui/LiveAddress.tsx'

interface SiteAddressProps {
  url: string
  /** Whether the site has no pages yet. */
  isEmpty: boolean
}

/** The address of the site, with buttons that open and copy it. */
export const SiteAddress = ({ url, isEmpty }: SiteAddressProps) => (
  <Paper withBorder radius="lg" p={{ base: 'md', sm: 'lg' }}>
    <Group justify="space-between" gap="sm">
      <LiveAddress
        intro={isEmpty ? 'Your site’s address is' : 'Your site is live at'}
        url={url}
        what="the address"
        openLabel="Open site"
      />
    </Group>
    {isEmpty && (
      <Text size="sm" c="dimmed" mt="xs">
        It has no pages yet.
      </Text>
    )}
  </Paper>
)
