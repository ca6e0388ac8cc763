import { Badge } from '@mantine/core'
import { relativeTime } from '../feedback/RelativeTime.tsx'
import { type Credential, statusOf } from './credential.ts'

/** Badge for a key or token that has expired, expires soon or was replaced. */
export const StatusBadge = ({ credential, now }: { credential: Credential; now: number }) => {
  const { expires_at } = credential
  switch (statusOf(credential, now)) {
    case 'expired':
      return (
        <Badge color="red" variant="filled" tt="none">
          Expired
        </Badge>
      )
    case 'replaced':
      return (
        <Badge color="yellow" variant="light" c="var(--mantine-color-text)" tt="none">
          Replaced, stops working {relativeTime(expires_at!)}
        </Badge>
      )
    case 'expiring soon':
      return (
        <Badge color="yellow" variant="light" c="var(--mantine-color-text)" tt="none">
          Expires {relativeTime(expires_at!)}
        </Badge>
      )
    case 'expiring':
    case 'permanent':
      return null
  }
}
