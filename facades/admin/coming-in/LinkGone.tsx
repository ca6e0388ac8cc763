import { Stack } from '@mantine/core'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { DoorTitle } from './DoorTitle.tsx'

/** In place of what a link would do, when it does nothing (any more). */
export const LinkGone = ({ title = 'This link does not open', text }: { title?: string; text: string }) => (
  <Stack>
    <DoorTitle title={title}>{text}</DoorTitle>
    <ButtonLink to="/sign-in" variant="light">
      Go to sign-in
    </ButtonLink>
  </Stack>
)

/** What became of a secret when the view was loaded anew: it was in memory alone. */
export const LINK_MISSING = {
  title: 'Open the link once more',
  text: 'What makes it work is not in the address any more, for your safety. Open it again from where you have it.',
}
