import { Stack } from '@mantine/core'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { AuthTitle } from './AuthTitle.tsx'

/** In place of what a link would do, when it does nothing (any more). */
export const InvalidLink = ({
  title = 'This link does not open',
  text,
}: {
  title?: string
  text: string
}) => (
  <Stack>
    <AuthTitle title={title}>{text}</AuthTitle>
    <ButtonLink to="/sign-in" variant="light">
      Go to sign-in
    </ButtonLink>
  </Stack>
)

/** What became of a secret when the view was loaded anew: it was in memory alone. */
export const MISSING_TOKEN = {
  title: 'Open the link once more',
  text: 'What makes it work is not in the address any more, for your safety. Open it again from where you have it.',
}
