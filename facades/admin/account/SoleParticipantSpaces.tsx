import { Alert, List } from '@mantine/core'
import { IconUsersMinus } from '@tabler/icons-react'
import type { Outputs } from '../api.ts'
import { TextLink } from '../shell/ButtonLink.tsx'

/** The spaces that would be left with nobody: each needs somebody else first, or an end of its own. */
export const SoleParticipantSpaces = ({ spaces }: { spaces: Outputs['accounts']['leaving']['alone_in'] }) => (
  <Alert
    color="yellow"
    icon={<IconUsersMinus aria-hidden />}
    title={
      spaces.length === 1
        ? 'One space would be left with nobody'
        : `${spaces.length} spaces would be left with nobody`
    }
  >
    A website is not deleted along with an account. In each of them, invite somebody who stays, or delete the
    space.
    <List mt="xs" spacing={6}>
      {spaces.map(({ subdomain, name }) => (
        <List.Item key={subdomain}>
          <b>{name}</b>:{' '}
          <TextLink to="/spaces/$subdomain/participants" params={{ subdomain }}>
            invite somebody to {subdomain}
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
