import { Alert, Button, Modal, Stack } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface SecretDialogProps {
  opened: boolean
  title: string
  /** The secret and what to do with it. */
  children: ReactNode
  /** Called by "I have saved it", which is the only way out. */
  onSaved: () => void
}

/** Shows what is shown once. Neither Escape nor a click beside it closes it, so that nobody loses it by mistake. */
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
        This is shown once. Save it now, in a password manager for example; nobody can show it again.
      </Alert>
      {children}
      <Button onClick={onSaved} fullWidth>
        I have saved it
      </Button>
    </Stack>
  </Modal>
)
