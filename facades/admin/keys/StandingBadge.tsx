import { Badge } from '@mantine/core'
import { inWords } from '../feedback/When.tsx'
import { type Credential, standingOf } from './credential.ts'

/** Marks a key or token that has ended or is about to. */
export const StandingBadge = ({ credential, now }: { credential: Credential; now: number }) => {
  const { expires_at } = credential
  switch (standingOf(credential, now)) {
    case 'ended':
      return (
        <Badge color="red" variant="filled" tt="none">
          Expired
        </Badge>
      )
    case 'replaced':
      return (
        <Badge color="yellow" variant="light" c="var(--mantine-color-text)" tt="none">
          Replaced, stops {inWords(expires_at!)}
        </Badge>
      )
    case 'ending soon':
      return (
        <Badge color="yellow" variant="light" c="var(--mantine-color-text)" tt="none">
          Expires {inWords(expires_at!)}
        </Badge>
      )
    case 'ending':
    case 'lasting':
      return null
  }
}
