import { Text } from '@mantine/core'
import type { Outputs } from '../api.ts'

/** Shows what is known about the origin of a connected app. */
export const ClientOrigin = ({
  client,
}: {
  client: NonNullable<Outputs['tokens']['list'][number]['client']>
}) => (
  <Text size="sm" c="dimmed">
    {client.host === null ? (
      <>Unverified name{client.sends_to.length > 0 && `, redirects to ${client.sends_to.join(', ')}`}</>
    ) : (
      <>Name published by {client.host}</>
    )}
  </Text>
)
