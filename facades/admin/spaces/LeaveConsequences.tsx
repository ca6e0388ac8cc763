import { List, Skeleton, Text } from '@mantine/core'

/** Maximum number of listed labels; the rest is only counted. */
const MAX_LABELS = 5

/** Lists what stops working when the person leaves the space: keys, by label, and open invitations. */
export const LeaveConsequences = ({
  keys,
  invites,
}: {
  keys: readonly string[] | undefined
  invites: number
}) => {
  if (!keys) return <Skeleton height={24} />
  if (keys.length === 0 && invites === 0)
    return <Text>You have no keys and no open invitations here, so nothing will stop working.</Text>
  return (
    <>
      <Text>These stop working permanently, even if you come back:</Text>
      <List spacing={4} withPadding>
        {keys.length > 0 && (
          <List.Item>
            {keys.length === 1 ? '1 key you created' : `${keys.length} keys you created`}:{' '}
            {keys
              .slice(0, MAX_LABELS)
              .map(label => `“${label}”`)
              .join(', ')}
            {keys.length > MAX_LABELS && ` and ${keys.length - MAX_LABELS} more`}
          </List.Item>
        )}
        {invites > 0 && (
          <List.Item>
            {invites === 1 ? '1 open invitation you created' : `${invites} open invitations you created`}
          </List.Item>
        )}
      </List>
      {keys.length > 0 && (
        <Text size="sm" c="dimmed">
          If scripts need these keys, ask another participant to rotate them first.
        </Text>
      )}
    </>
  )
}
