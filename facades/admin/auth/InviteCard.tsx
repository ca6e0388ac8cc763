import { Avatar, Group, Paper, Text } from '@mantine/core'
import type { Outputs } from '../api.ts'

/** Shows which space an invitation is for, and who sent it. */
export const InviteCard = ({ invite }: { invite: Outputs['invites']['look'] }) => (
  <Paper withBorder p="md" radius="md">
    <Group wrap="nowrap">
      <Avatar src={invite.icon_url} name={invite.name} color="leaf" size={48} radius="md" alt="" />
      <div style={{ minWidth: 0 }}>
        <Text fw={600} truncate>
          {invite.name}
        </Text>
        <Text size="sm" c="dimmed" truncate>
          from {invite.inviter}
        </Text>
      </div>
    </Group>
  </Paper>
)
