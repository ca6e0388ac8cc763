import { Badge, Button, Group, Input, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import {
  IconArchive,
  IconBan,
  IconKey,
  IconLogin2,
  IconShieldExclamation,
  IconTrash,
  IconUserCheck,
  IconUserOff,
  IconUsers,
  IconWebhook,
  IconWorld,
} from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import audit from '../../shared/illustrations/audit.svg?raw'
import noMatch from '../../shared/illustrations/search.svg?raw'
import { api, rpc } from '../api.ts'
import { OwnersOnly } from '../spaces/OwnersOnly.tsx'
import { Empty } from '../ui/Empty.tsx'
import { PagedList, type Pages, usePages } from '../ui/Loaded.tsx'
import { LoadingRows } from '../ui/Loading.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { type AuditSearch, accountAuditSearch, spaceAuditSearch, WHO_LENGTH } from '../view-search.ts'
import { type AuditEvent, actorOf, reasonOf, titleOf } from './describe-event.ts'
import { filterOf } from './filter.ts'

const spaceRoute = getRouteApi('/signed-in/spaces/$subdomain/audit')
const accountRoute = getRouteApi('/signed-in/account/audit')

/** The topics by which each log can be filtered. */
const SPACE_TOPICS = {
  credentials: 'Keys',
  participants: 'Participants',
  content: 'Exports and restores',
  domains: 'Domains',
  webhooks: 'Webhooks',
  refusals: 'Refused calls',
}

const ACCOUNT_TOPICS = {
  sign_ins: 'Sign-ins',
  credentials: 'Tokens and apps',
  content: 'Restored posts',
  suspensions: 'Suspensions',
  refusals: 'Refused calls',
}

/** The audit log of a space. */
export const SpaceAudit = () => (
  <OwnersOnly title="Audit log" text="Owners see who got access to this space, and what was refused.">
    <SpaceLog />
  </OwnersOnly>
)

const SpaceLog = () => {
  const { subdomain, name } = useSpace()
  const search = spaceRoute.useSearch()
  const navigate = spaceRoute.useNavigate()
  const log = usePages([...api.audit.ofSpace.pathKey(), subdomain, search], (cursor, options) =>
    rpc.audit.ofSpace.query({ subdomain, ...filterOf(search), cursor }, options),
  )
  return (
    <>
      <ViewTitle
        title="Audit log"
        of={name}
        text="Who got access to this space, who exported or restored content, and what was refused. Kept for a year."
      />
      <AuditList
        topics={SPACE_TOPICS}
        search={search}
        onSearch={change => void navigate({ search: now => spaceAuditSearch(change(now)), replace: true })}
        log={log}
      />
    </>
  )
}

/** The audit log of your account. */
export const AccountAudit = () => {
  const search = accountRoute.useSearch()
  const navigate = accountRoute.useNavigate()
  const log = usePages([...api.audit.ofAccount.pathKey(), search], (cursor, options) =>
    rpc.audit.ofAccount.query({ ...filterOf(search), cursor }, options),
  )
  return (
    <>
      <ViewTitle
        title="Your audit log"
        text="Sign-ins and failed sign-ins, tokens and apps that can act as you, posts that you restored, and suspensions. Kept for a year."
      />
      <AuditList
        topics={ACCOUNT_TOPICS}
        search={search}
        onSearch={change => void navigate({ search: now => accountAuditSearch(change(now)), replace: true })}
        log={log}
      />
    </>
  )
}

type Filter = { [Name in keyof AuditSearch]?: string | null }

interface AuditListProps {
  topics: Record<string, string>
  search: AuditSearch
  /** Called with a function that returns the filter to apply, given the one of the address. Invalid values are ignored. */
  onSearch: (change: (now: AuditSearch) => Filter) => void
  log: Pages<{ events: AuditEvent[] }>
}

/** How long to wait for the next letter before the list is filtered, in ms. */
const SEARCH_DELAY = 250

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
  participant_removed: <IconUsers size={20} />,
  role_changed: <IconUsers size={20} />,
  exported: <IconArchive size={20} />,
  restored: <IconArchive size={20} />,
  erased: <IconTrash size={20} />,
  refused: <IconBan size={20} />,
  account_suspended: <IconUserOff size={20} />,
  suspension_lifted: <IconUserCheck size={20} />,
  domain_added: <IconWorld size={20} />,
  domain_removed: <IconWorld size={20} />,
  domain_verified: <IconWorld size={20} />,
  domain_switched_off: <IconWorld size={20} />,
  main_domain_changed: <IconWorld size={20} />,
  webhook_added: <IconWebhook size={20} />,
  webhook_removed: <IconWebhook size={20} />,
  webhook_secret_rotated: <IconWebhook size={20} />,
  webhook_switched_off: <IconWebhook size={20} />,
  webhook_switched_on: <IconWebhook size={20} />,
}

/** The events of an audit log, newest first, with a filter. */
const AuditList = ({ topics, search, onSearch, log }: AuditListProps) => {
  const change = (changed: Filter) => onSearch(now => ({ ...now, ...changed }))
  const findWho = useDebouncedCallback((who: string) => change({ who }), SEARCH_DELAY)
  const { topic, who, from, to } = search
  const isFiltered = (topic ?? who ?? from ?? to) !== undefined
  return (
    <>
      <Group mb="md" gap="sm" align="flex-end">
        <Select
          label="Show"
          value={topic ?? 'all'}
          allowDeselect={false}
          onChange={topic => change({ topic })}
          data={[
            { value: 'all', label: 'Everything' },
            ...Object.entries(topics).map(([value, label]) => ({ value, label })),
          ]}
          w="14rem"
        />
        <Input.Wrapper label="Person, key or token" labelElement="div">
          <SearchField
            label="Person, key or token"
            value={who ?? ''}
            maxLength={WHO_LENGTH}
            onChange={findWho}
          />
        </Input.Wrapper>
        {(['from', 'to'] as const).map(end => (
          <TextInput
            key={end}
            type="date"
            label={end === 'from' ? 'From' : 'Until'}
            value={search[end] ?? ''}
            onChange={event => change({ [end]: event.currentTarget.value })}
          />
        ))}
      </Group>
      <PagedList
        pages={log}
        itemsOf={page => page.events}
        what="events"
        placeholder={<LoadingRows count={6} />}
        empty={
          <Empty
            picture={isFiltered ? noMatch : audit}
            title={isFiltered ? 'No events match' : 'Nothing yet'}
            text="Events are kept for a year."
          >
            {isFiltered && (
              <Button variant="default" onClick={() => onSearch(() => ({}))}>
                Show everything
              </Button>
            )}
          </Empty>
        }
      >
        {events => (
          <Rows label="Events">
            {events.map(event => (
              <EventRow key={event.id} event={event} />
            ))}
          </Rows>
        )}
      </PagedList>
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
