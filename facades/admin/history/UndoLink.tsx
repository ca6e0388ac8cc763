import { IconArrowBackUp } from '@tabler/icons-react'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { rowButton } from '../ui/RowButton.tsx'
import type { ListedActor } from './describe.ts'
import { useActors } from './use-actors.ts'

interface UndoLinkProps {
  subdomain: string
  /** Whether an actor is the key or person whose changes are undone. */
  isActor: (actor: ListedActor) => boolean
  /** The label of the key, or the handle of the person. */
  label: string
}

/** A link that opens the dialog for undoing the changes of a key or person. Renders nothing if there are no changes. */
export const UndoLink = ({ subdomain, isActor, label }: UndoLinkProps) => {
  const actor = useActors(subdomain).find(isActor)
  return (
    actor && (
      <ButtonLink
        to="/spaces/$subdomain/history"
        params={{ subdomain }}
        search={{ actor: actor.id, undo: true }}
        {...rowButton}
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        aria-label={`Undo changes by ${label}`}
      >
        Undo changes
      </ButtonLink>
    )
  )
}
