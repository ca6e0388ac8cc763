import { Alert } from '@mantine/core'
import { IconTerminal2 } from '@tabler/icons-react'

/** Tells whoever has just installed the service where to find the way in. */
export const NotSetUp = () => (
  <Alert icon={<IconTerminal2 aria-hidden />} title="Nobody has an account yet">
    When the service starts it prints a link that makes the first one. The link works for 30 minutes; starting
    again prints a new one.
  </Alert>
)
