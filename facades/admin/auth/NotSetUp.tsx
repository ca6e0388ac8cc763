import { Alert } from '@mantine/core'
import { IconTerminal2 } from '@tabler/icons-react'

/** Says how to create the first account after installing the service. */
export const NotSetUp = () => (
  <Alert icon={<IconTerminal2 aria-hidden />} title="No accounts yet">
    When the service starts, it prints a link for creating the first account. The link works for 30 minutes;
    restart the service to get a new one.
  </Alert>
)
