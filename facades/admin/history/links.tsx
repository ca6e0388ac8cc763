import { IconArrowBackUp, IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { IconLink } from '../ui/IconButton.tsx'
import { rowButton } from '../ui/RowButton.tsx'
import { useSpace } from '../use-space.ts'
import type { ChangeKind } from '../view-search.ts'
import type { Change, ListedActor } from './describe.ts'

interface HistoryLinkProps {
  subdomain: string
  kind: ChangeKind
  thing: string
}

/** A button that opens the history of a page, part or record. */
export const HistoryLink = ({ subdomain, kind, thing }: HistoryLinkProps) => (
  <IconLink
    label="History"
    word="History"
    to="/spaces/$subdomain/history"
    params={{ subdomain }}
    search={{ kind, thing }}
  >
    <IconHistory size={18} />
  </IconLink>
)

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

/** Returns everyone who appears in the history of a space; an empty list while it is loading. */
export const useActors = (subdomain: string): readonly ListedActor[] =>
  useQuery(api.history.actors.queryOptions({ subdomain })).data ?? []
