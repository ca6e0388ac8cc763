import { Alert, Group } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { LiveAddress } from '../feedback/LiveAddress.tsx'

/** Shown after the first save of a page, with its public address. */
export const LiveNotice = ({ url, onClose }: { url: string; onClose: () => void }) => (
  <Alert
    color="leaf"
    mb="md"
    role="status"
    icon={<IconCheck aria-hidden />}
    withCloseButton
    closeButtonLabel="Close"
    onClose={onClose}
  >
    <Group gap="sm">
      <LiveAddress intro="It is live at" url={url} what="the page’s address" openLabel="Open page" />
    </Group>
  </Alert>
)
