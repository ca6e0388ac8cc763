import { Stack } from '@mantine/core'
import picture from '../../shared/illustrations/busy.svg?raw'
import { Illustration } from '../feedback/Illustration.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { AuthTitle } from './AuthTitle.tsx'

/** Shown for a link that is unknown, used or expired. */
export const InvalidLink = ({
  title = 'This link no longer works',
  text,
}: {
  title?: string
  text: string
}) => (
  <Stack>
    <Illustration svg={picture} />
    <AuthTitle title={title}>{text}</AuthTitle>
    <ButtonLink to="/sign-in" variant="light">
      Go to sign-in
    </ButtonLink>
  </Stack>
)

/** Props for a view that no longer has its link token. Tokens are kept in memory only, so a reload loses them. */
export const MISSING_TOKEN = {
  title: 'Open the link again',
  text: 'For your safety, the secret part of the link was removed from the address. Go back to the message with the link and open it again.',
}
