import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { Noun } from './credential.ts'

/** Shown when a link names a key or token that is not in the list. */
export const CredentialNotFound = ({ noun, onClose }: { noun: Noun; onClose: () => void }) => (
  <Alert
    color="gray"
    icon={<IconInfoCircle aria-hidden />}
    title={`This ${noun} no longer exists`}
    withCloseButton
    closeButtonLabel="Close"
    onClose={onClose}
    mb="md"
    role="status"
  >
    It has been revoked, so it no longer works.
  </Alert>
)
