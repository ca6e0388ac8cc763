import { Button, Text, VisuallyHidden } from '@mantine/core'
import {
  IconDatabase,
  IconFile,
  IconFiles,
  IconPuzzle,
  IconSettings,
  IconSparkles,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import type { Outputs } from '../api.ts'
import { STARTERS } from '../spaces/starters.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { counted, formatNumber } from '../ui/numbers.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowButton } from '../ui/RowButton.tsx'
import { Row } from '../ui/Rows.tsx'
import classes from './ChangeRow.module.css'
import { actorName, type Change, eventOf, starterOf, titleOf } from './describe.ts'

/** The icons of the kinds of items. */
export const ICONS: Record<Change['kind'], ReactNode> = {
  page: <IconFile size={20} />,
  part: <IconPuzzle size={20} />,
  record: <IconDatabase size={20} />,
  file: <IconFiles size={20} />,
  space: <IconSettings size={20} />,
}

export type Lines = Outputs['history']['lines'][number]

interface ChangeRowProps {
  subdomain: string
  change: Change
  /** How many lines it has added and removed; undefined if that is not known. */
  lines?: Lines | undefined
  /** Further actions. */
  children?: ReactNode
}

/** One change in the timeline, with a link to its details. */
export const ChangeRow = ({ subdomain, change, lines, children }: ChangeRowProps) => {
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
          {lines && <LineCounts {...lines} />}
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

interface StarterRowProps {
  /** One of the changes that the starter made. */
  change: Change
  onOpen: () => void
}

/** One row for all changes that a starter made. */
export const StarterRow = ({ change, onOpen }: StarterRowProps) => (
  <Row
    icon={<IconSparkles size={20} />}
    title={`Created from ${STARTERS[starterOf(change.operation)!].label}`}
    text={
      <>
        Pages, parts, records and files, created <RelativeTime at={change.at} /> by{' '}
        <Text span inherit fw={550}>
          {shownText(actorName(change.actor))}
        </Text>
      </>
    }
  >
    <Button {...rowButton} onClick={onOpen}>
      Show items
    </Button>
  </Row>
)

const LineCounts = ({ added, removed }: Lines) => (
  <>
    {' · '}
    <span aria-hidden>
      <span className={classes.added}>+{formatNumber(added)}</span>{' '}
      <span className={classes.removed}>−{formatNumber(removed)}</span>
    </span>
    <VisuallyHidden>
      {counted(added, 'line')} added, {formatNumber(removed)} removed
    </VisuallyHidden>
  </>
)
