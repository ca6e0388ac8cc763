import { Alert, List } from '@mantine/core'
import { IconUsersMinus } from '@tabler/icons-react'
import type { Outputs } from '../api.ts'
import { TextLink } from '../shell/ButtonLink.tsx'

/** Lists the spaces that block the deletion because the person is their only participant. */
export const SoleParticipantSpaces = ({ spaces }: { spaces: Outputs['accounts']['leaving']['alone_in'] }) => (
  <Alert
    color="yellow"
    icon={<IconUsersMinus aria-hidden />}
    title={
      spaces.length === 1
        ? 'You are the only participant of a space'
        : `You are the only participant of ${spaces.length} spaces`
    }
  >
    Before you can delete your account, each space needs another participant or must be deleted.
    <List mt="xs" spacing={6}>
      {spaces.map(({ subdomain, name }) => (
        <List.Item key={subdomain}>
          <b>{name}</b>:{' '}
          <TextLink to="/spaces/$subdomain/participants" params={{ subdomain }}>
            invite someone to {subdomain}
          </TextLink>{' '}
          or{' '}
          <TextLink to="/spaces/$subdomain/settings" params={{ subdomain }}>
            delete {subdomain}
          </TextLink>
        </List.Item>
      ))}
    </List>
  </Alert>
)
