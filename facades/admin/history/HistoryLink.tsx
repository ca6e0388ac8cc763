import { ActionIcon, Tooltip } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { RouterAnchor } from '../ui/ButtonLink.tsx'
import type { ChangeKind } from '../view-search.ts'

interface HistoryLinkProps {
  subdomain: string
  kind: ChangeKind
  thing: string
}

/** A button that opens the history of a page, part or record. */
export const HistoryLink = ({ subdomain, kind, thing }: HistoryLinkProps) => (
  <Tooltip label="History">
    <ActionIcon
      variant="default"
      size={36}
      aria-label="History"
      renderRoot={props => (
        <RouterAnchor
          to="/spaces/$subdomain/history"
          params={{ subdomain }}
          search={{ kind, thing }}
          {...props}
        />
      )}
    >
      <IconHistory size={18} />
    </ActionIcon>
  </Tooltip>
)
