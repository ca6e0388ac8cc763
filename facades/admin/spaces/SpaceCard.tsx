import { Avatar, Card, Group, Text } from '@mantine/core'
import type { Outputs } from '../api.ts'
import { RouterAnchor } from '../shell/RouterAnchor.tsx'

/** One space in the list, as a link to its overview. */
export const SpaceCard = ({ subdomain, name, url, icon_url }: Outputs['spaces']['list'][number]) => (
  <li>
    <Card
      withBorder
      renderRoot={props => <RouterAnchor to="/spaces/$subdomain" params={{ subdomain }} {...props} />}
    >
      <Group wrap="nowrap">
        <Avatar src={icon_url} name={name} color="leaf" size={48} radius="md" alt="" />
        <div style={{ minWidth: 0 }}>
          <Text fw={600} truncate>
            {name}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {url.replace(/^https?:\/\//, '')}
          </Text>
        </div>
      </Group>
    </Card>
  </li>
)
