import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useLocation } from '@tanstack/react-router'
import picture from '../../shared/illustrations/trash.svg?raw'
import { root } from '../api.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { Illustration } from '../ui/Empty.tsx'

/** Confirms that the account has been deleted. */
export const AccountDeleted = () => {
  useDocumentTitle('Account deleted · Space Site')
  const handle = useLocation({ select: ({ state }) => state.deletedHandle })
  return (
    <Stack>
      <Illustration svg={picture} />
      <Title order={1} size="h3">
        Account deleted
      </Title>
      <Text role="status">The account @{handle} has been deleted, and you are signed out.</Text>
      <Text size="sm" c="dimmed">
        You can still read the{' '}
        <Anchor href={root.href} underline="always">
          public timeline
        </Anchor>
        , or <TextLink to="/sign-up">create a new account</TextLink>.
      </Text>
    </Stack>
  )
}
