import { Button, Modal, Stack, Text } from '@mantine/core'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { Snippet } from '../feedback/Snippet.tsx'

interface InviteLinkProps {
  /** Name of the space. */
  name: string
  url: string
  expires_at: string
  onClose: () => void
}

/** Shows the link of a new invitation. It can't be shown again. */
export const InviteLink = ({ name, url, expires_at, onClose }: InviteLinkProps) => (
  <Modal
    opened
    onClose={onClose}
    title={`Invite someone to ${name}`}
    centered
    size="lg"
    closeOnClickOutside={false}
  >
    <Stack>
      <Text>
        Send this link to one person. The first person who uses it joins the space with full access.
      </Text>
      <Snippet label="Invitation link" text={url} />
      <Text size="sm" c="dimmed">
        It works once and expires <RelativeTime at={expires_at} />. You can’t see it again: if you lose it,
        revoke the invitation and create another one.
      </Text>
      <Button onClick={onClose} fullWidth>
        Done
      </Button>
    </Stack>
  </Modal>
)
