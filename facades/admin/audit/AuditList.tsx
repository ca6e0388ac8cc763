import { Badge, Button, Select, Stack } from '@mantine/core'
import {
  IconArchive,
  IconBan,
  IconKey,
  IconLogin2,
  IconShieldCheck,
  IconShieldExclamation,
  IconUsers,
} from '@tabler/icons-react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { shownText } from '../../../routers/core/shown-text.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { ShowOlder } from '../feedback/ShowOlder.tsx'
import { Row, Rows } from '../shell/Rows.tsx'
import type { Topic } from './audit-search.ts'
import { type AuditEvent, actorOf, reasonOf, titleOf } from './describe-event.ts'

interface AuditListProps {
  topics: Partial<Record<Topic, string>>
  /** The selected topic; undefined for all. */
  topic: Topic | undefined
  onTopic: (topic: Topic | undefined) => void
  log: UseInfiniteQueryResult<{ pages: { events: AuditEvent[] }[] }>
}

const ICONS: Record<AuditEvent['kind'], ReactNode> = {
  signed_in: <IconLogin2 size={20} />,
  sign_in_failed: <IconShieldExclamation size={20} />,
  key_issued: <IconKey size={20} />,
  key_rotated: <IconKey size={20} />,
  key_revoked: <IconKey size={20} />,
  token_issued: <IconKey size={20} />,
  token_rotated: <IconKey size={20} />,
  token_revoked: <IconKey size={20} />,
  participant_joined: <IconUsers size={20} />,
  participant_left: <IconUsers size={20} />,
  exported: <IconArchive size={20} />,
  restored: <IconArchive size={20} />,
  refused: <IconBan size={20} />,
}

/** The events of an audit log, newest first, with a filter. */
export const AuditList = ({ topics, topic, onTopic, log }: AuditListProps) => {
  const events = log.data?.pages.flatMap(page => page.events) ?? []
  return (
    <>
      <Select
        label="Show"
        value={topic ?? 'all'}
        allowDeselect={false}
        onChange={value => onTopic(value === null || value === 'all' ? undefined : (value as Topic))}
        data={[
          { value: 'all', label: 'Everything' },
          ...Object.entries(topics).map(([value, label]) => ({ value, label })),
        ]}
        w="14rem"
        mb="md"
      />
      {log.isPending ? (
        <Loading />
      ) : log.isError && events.length === 0 ? (
        <FailureView error={log.error} retry={() => void log.refetch()} />
      ) : events.length === 0 ? (
        <Empty
          icon={<IconShieldCheck />}
          title={topic === undefined ? 'Nothing yet' : 'No events of this kind'}
          text="Events are kept for a year."
        >
          {topic !== undefined && (
            <Button variant="default" onClick={() => onTopic(undefined)}>
              Show everything
            </Button>
          )}
        </Empty>
      ) : (
        <Stack>
          <Rows label="Events">
            {events.map(event => (
              <EventRow key={event.id} event={event} />
            ))}
          </Rows>
          <ShowOlder query={log} what="events" />
        </Stack>
      )}
    </>
  )
}

const EventRow = ({ event }: { event: AuditEvent }) => {
  const reason = reasonOf(event)
  return (
    <Row
      icon={ICONS[event.kind]}
      title={<bdi>{shownText(titleOf(event))}</bdi>}
      text={
        <>
          <RelativeTime at={event.at} /> by <bdi>{shownText(actorOf(event))}</bdi>
          {event.browser !== null && `, ${event.browser}`}
          {reason !== null && `. ${reason}`}
          {event.scopes.length > 0 && `. Permissions: ${event.scopes.join(', ')}`}
        </>
      }
    >
      {event.count > 1 && (
        <Badge color="gray" variant="light" tt="none">
          {event.count} times in an hour
        </Badge>
      )}
    </Row>
  )
}
