import { Text } from '@mantine/core'
import { IconDatabase, IconFile, IconFiles, IconPuzzle, IconSettings } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowButton } from '../ui/RowButton.tsx'
import { Row } from '../ui/Rows.tsx'
import { actorName, type Change, eventOf, titleOf } from './describe.ts'

/** The icons of the kinds of items. */
export const ICONS: Record<Change['kind'], ReactNode> = {
  page: <IconFile size={20} />,
  part: <IconPuzzle size={20} />,
  record: <IconDatabase size={20} />,
  file: <IconFiles size={20} />,
  space: <IconSettings size={20} />,
}

interface ChangeRowProps {
  subdomain: string
  change: Change
  /** Further actions. */
  children?: ReactNode
}

/** One change in the timeline, with a link to its details. */
export const ChangeRow = ({ subdomain, change, children }: ChangeRowProps) => {
  const title = shownText(titleOf(change))
  return (
    <Row
      item={change}
      icon={ICONS[change.kind]}
      title={title}
      text={
        <>
          {shownText(eventOf(change))} <RelativeTime at={change.at} /> by{' '}
          <Text span inherit fw={550}>
            {shownText(actorName(change.actor))}
          </Text>
          {change.trimmed && '. Changes before this one are no longer kept'}
        </>
      }
    >
      {children}
      <ButtonLink
        {...rowButton}
        to="/spaces/$subdomain/history/$changeId"
        params={{ subdomain, changeId: change.id }}
        aria-label={`View change of ${title}`}
      >
        View
      </ButtonLink>
    </Row>
  )
}
