import { Badge } from '@mantine/core'
import { relativeTime } from '../feedback/RelativeTime.tsx'
import { type Credential, statusOf } from './credential.ts'

/** Marks a key or token that has ended or is about to. */
export const StatusBadge = ({ credential, now }: { credential: Credential; now: number }) => {
  const { expires_at } = credential
  switch (statusOf(credential, now)) {
    case 'ended':
      return (
        <Badge color="red" variant="filled" tt="none">
          Expired
        </Badge>
      )
    case 'replaced':
      return (
        <Badge color="yellow" variant="light" c="var(--mantine-color-text)" tt="none">
          Replaced, stops {relativeTime(expires_at!)}
        </Badge>
      )
    case 'ending soon':
      return (
        <Badge color="yellow" variant="light" c="var(--mantine-color-text)" tt="none">
          Expires {relativeTime(expires_at!)}
        </Badge>
      )
    case 'ending':
    case 'lasting':
      return null
  }
}
