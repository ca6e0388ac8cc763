import { IconHistory } from '@tabler/icons-react'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { useSpace } from '../use-space.ts'
import type { Change } from './describe.ts'

/** A link to all changes of an item. */
export const AllChanges = ({ change: { kind, thing } }: { change: Change }) => {
  const { subdomain } = useSpace()
  return (
    <ButtonLink
      variant="default"
      to="/spaces/$subdomain/history"
      params={{ subdomain }}
      search={{ kind, thing }}
      leftSection={<IconHistory size={18} aria-hidden />}
    >
      All changes
    </ButtonLink>
  )
}
