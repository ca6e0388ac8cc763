import { Button, Modal, Stack, Text } from '@mantine/core'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { Snippet } from '../feedback/Snippet.tsx'

interface InviteLinkProps {
  /** Of the space. */
  name: string
  url: string
  expires_at: string
  onClose: () => void
}

/** Shows the link of a new invitation, this once. */
export const InviteLink = ({ name, url, expires_at, onClose }: InviteLinkProps) => (
  <Modal
    opened
    onClose={onClose}
    title={`Invite somebody to ${name}`}
    centered
    size="lg"
    closeOnClickOutside={false}
  >
    <Stack>
      <Text>
        Send this link to one person. Whoever opens it first takes part in the space and may do everything
        here.
      </Text>
      <Snippet label="Invitation link" text={url} />
      <Text size="sm" c="dimmed">
        It opens once, and ends <RelativeTime at={expires_at} />. It is not shown again: if it gets lost,
        withdraw it and make another one.
      </Text>
      <Button onClick={onClose} fullWidth>
        Done
      </Button>
    </Stack>
  </Modal>
)
