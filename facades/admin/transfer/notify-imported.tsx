import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { TextLink } from '../shell/ButtonLink.tsx'

/** How long the notification is shown, in ms. People need time to follow its link. */
const SHOWN = 10_000

/** Shows a notification that an archive was imported, with a link to the history, where the import can be undone. */
export const notifyImported = (subdomain: string): void =>
  void notifications.show({
    color: 'leaf',
    autoClose: SHOWN,
    message: (
      <Text size="sm">
        Archive imported. You can undo the import in the{' '}
        <TextLink size="sm" to="/spaces/$subdomain/history" params={{ subdomain }}>
          history
        </TextLink>
        .
      </Text>
    ),
  })
