import { List, Skeleton, Text } from '@mantine/core'

/** How many labels are listed before the rest is only counted. */
const LISTED = 5

/** What ends when one leaves a space: keys, by their labels, and open invitations. */
export const LeaveConsequences = ({
  keys,
  invites,
}: {
  keys: readonly string[] | undefined
  invites: number
}) => {
  if (!keys) return <Skeleton height={24} />
  if (keys.length === 0 && invites === 0)
    return <Text>You have issued no keys and no open invitations here, so nothing stops.</Text>
  return (
    <>
      <Text>For good, also if you come back, these stop:</Text>
      <List spacing={4} withPadding>
        {keys.length > 0 && (
          <List.Item>
            {keys.length === 1 ? '1 key of yours' : `${keys.length} keys of yours`}:{' '}
            {keys
              .slice(0, LISTED)
              .map(label => `“${label}”`)
              .join(', ')}
            {keys.length > LISTED && ` and ${keys.length - LISTED} more`}
          </List.Item>
        )}
        {invites > 0 && (
          <List.Item>
            {invites === 1 ? '1 open invitation of yours' : `${invites} open invitations of yours`}
          </List.Item>
        )}
      </List>
      {keys.length > 0 && (
        <Text size="sm" c="dimmed">
          If programs need them, let another participant rotate these keys first.
        </Text>
      )}
    </>
  )
}
