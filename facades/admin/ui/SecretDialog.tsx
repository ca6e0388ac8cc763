import { Alert, Button, Modal, Stack } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface SecretDialogProps {
  opened: boolean
  title: string
  /** The secret and what to do with it. */
  children: ReactNode
  /** Called by "I have saved it", the only button that closes the dialog. */
  onSaved: () => void
}

/** Shows a secret once. Escape and clicks outside don't close the dialog, so that the secret isn't lost by mistake. */
export const SecretDialog = ({ opened, title, children, onSaved }: SecretDialogProps) => (
  <Modal
    opened={opened}
    onClose={() => {}}
    title={title}
    size="lg"
    centered
    withCloseButton={false}
    closeOnEscape={false}
    closeOnClickOutside={false}
  >
    <Stack>
      <Alert color="yellow" icon={<IconEyeOff aria-hidden />}>
        This is shown only once. Save it now, for example in a password manager. You can’t see it again.
      </Alert>
      {children}
      <Button onClick={onSaved} fullWidth>
        I have saved it
      </Button>
    </Stack>
  </Modal>
)
