import { Alert, Button, Modal, Stack } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useLeaveGuard } from './use-leave-guard.tsx'

interface SecretDialogProps {
  opened: boolean
  /** What the secret is, such as "key". */
  what: string
  title: string
  /** The secret and what to do with it. */
  children: ReactNode
  /** Called by "I have saved it", the only button that closes the dialog. */
  onSaved: () => void
}

/**
 * Shows a secret once. Escape and clicks outside don't close the dialog, and it asks before the person leaves, so that the
 * secret isn't lost by mistake.
 */
export const SecretDialog = ({ opened, what, title, children, onSaved }: SecretDialogProps) => {
  const guard = useLeaveGuard(opened, {
    title: `Leave without saving the ${what}?`,
    text: `You can’t see the ${what} again. Save the ${what} before you leave.`,
  })
  return (
    <>
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
      {guard}
    </>
  )
}
