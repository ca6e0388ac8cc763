import { Alert, Text } from '@mantine/core'
import { IconUserOff } from '@tabler/icons-react'
import { useSession } from '../session.ts'

/** Tells a person that their account is suspended, why, and what they can still do. */
export const SuspensionBanner = () => {
  const { suspension } = useSession()
  if (!suspension) return null
  return (
    <Alert
      color="red"
      icon={<IconUserOff aria-hidden />}
      title="Your account is suspended"
      mb="md"
      maw="80rem"
      mx="auto"
    >
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        Reason: <bdi>{suspension.reason}</bdi>
      </Text>
      <Text size="sm" mt="xs">
        Your posts and comments are hidden, and you can’t post, comment, like, follow, report, change your
        profile or create spaces. You can still read, export and delete your own content, and use your spaces.
      </Text>
    </Alert>
  )
}
