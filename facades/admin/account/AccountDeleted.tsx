import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useLocation } from '@tanstack/react-router'
import { root } from '../api.ts'
import { TextLink } from '../shell/ButtonLink.tsx'

/** What somebody sees who has deleted their account. */
export const AccountDeleted = () => {
  useDocumentTitle('Goodbye · Space Site')
  const handle = useLocation({ select: ({ state }) => state.deletedHandle })
  return (
    <Stack>
      <Title order={1} size="h3">
        Goodbye
      </Title>
      <Text role="status">
        The account @{handle} is gone, and you are signed out. Thank you for having been here.
      </Text>
      <Text size="sm" c="dimmed">
        You can still read what others write on the{' '}
        <Anchor href={root.href} underline="always">
          public timeline
        </Anchor>
        , or{' '}
        <TextLink to="/sign-up" underline="always">
          make a new account
        </TextLink>
        .
      </Text>
    </Stack>
  )
}
