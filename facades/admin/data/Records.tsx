import { Badge, SimpleGrid } from '@mantine/core'
import { IconDatabase, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { rules } from '../../../routers/api/rules.ts'
import picture from '../../shared/illustrations/records.svg?raw'
import { api, type Outputs, queryClient, rpc } from '../api.ts'
import { FoundLines } from '../search/FoundLines.tsx'
import { SelectedItems } from '../selection/SelectedItems.tsx'
import { SelectRow } from '../selection/SelectRow.tsx'
import { type Selection, useSelection } from '../selection/use-selection.ts'
import { useKey } from '../shell/single-keys.ts'
import { ButtonLink, TextLink } from '../ui/ButtonLink.tsx'
import { Empty, NoMatch } from '../ui/Empty.tsx'
import { focusAfterDialog } from '../ui/focus-after-dialog.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { LoadingRows, LoadingSearch, LoadingSelection } from '../ui/Loading.tsx'
import { counted, formatBytes } from '../ui/numbers.ts'
import { QuotaBar } from '../ui/QuotaBar.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { SpaceDrafts } from '../unsaved/DraftList.tsx'
import { useSpace } from '../use-space.ts'
import { RECORD_TERM_LENGTH, recordSearch } from '../view-search.ts'
import css from './data.module.css'

const route = getRouteApi('/signed-in/spaces/$subdomain/data')

/** The data records of a space. */
export const Records = () => {
  const { subdomain, name } = useSpace()
  const create = useKey('C')
  const records = useQuery(api.records.list.queryOptions({ subdomain }))
  const newRecord = (
    <ButtonLink
      to="/spaces/$subdomain/new-record"
      params={{ subdomain }}
      {...create}
      leftSection={<IconPlus size={18} aria-hidden />}
    >
      New record
    </ButtonLink>
  )
  return (
    <>
      <ViewTitle title="Data" of={name} text="JSON records that pages and parts can show.">
        {records.data && records.data.length > 0 && newRecord}
      </ViewTitle>
      <SpaceDrafts subdomain={subdomain} kind="record" />
      <Loaded query={records} placeholder={LOADING}>
        {stored =>
          stored.length === 0 ? (
            <Empty
              picture={picture}
              title="Create your first record"
              text="A record holds content that changes more often than your pages: events, prices, members. Pages read it by its key, and scripts and agents can update it."
            >
              {newRecord}
            </Empty>
          ) : (
            <RecordList records={stored} />
          )
        }
      </Loaded>
    </>
  )
}

const RecordList = ({ records }: { records: Outputs['records']['list'] }) => {
  const { subdomain } = useSpace()
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = records.filter(({ key, description }) =>
    words.every(word => `${key} ${description ?? ''}`.toLowerCase().includes(word)),
  )
  const list = useRef<HTMLUListElement>(null)
  const selection = useSelection(
    found.map(({ key }) => ({ id: key, name: key })),
    ({ id }) => id,
  )
  return (
    <>
      <RecordQuotas records={records} />
      <SearchField
        label="Search records"
        placeholder="Search by key, description or text"
        value={q}
        maxLength={RECORD_TERM_LENGTH}
        onChange={q => void navigate({ search: recordSearch({ q }), replace: true })}
        mb="md"
        maw="24rem"
      />
      {found.length > 0 && (
        <>
          <SelectedItems
            kind="record"
            selection={selection}
            remove={key => rpc.data.delete.mutate({ subdomain, key })}
            missing="data_not_found"
            refresh={() => queryClient.invalidateQueries(api.records.pathFilter())}
            consequence="Pages that use them show nothing in their place."
            onDeleted={() => focusAfterDialog(list)}
          />
          <Rows label="Records" ref={list}>
            {found.map(record => (
              <RecordRow key={record.key} record={record} subdomain={subdomain} selection={selection} />
            ))}
          </Rows>
        </>
      )}
      <FoundLines
        subdomain={subdomain}
        kind="record"
        typed={q.trim()}
        nothing={found.length === 0 && <NoMatch role="status">No record matches “{q}”.</NoMatch>}
      />
    </>
  )
}

/** Usage of the space's quotas for records; shows placeholders until the records have loaded. */
const RecordQuotas = ({ records }: { records?: Outputs['records']['list'] }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} maw={680} mb="lg">
    <QuotaBar label="Records" used={records?.length} quota={rules.data.max_records} />
    <QuotaBar
      label="Storage"
      used={records?.reduce((sum, { size }) => sum + size, 0)}
      quota={rules.data.total_max_bytes}
      format={formatBytes}
    />
  </SimpleGrid>
)

interface RecordRowProps {
  record: Outputs['records']['list'][number]
  subdomain: string
  selection: Pick<Selection<unknown>, 'isSelected' | 'select'>
}

/** One record in the list. */
export const RecordRow = ({ record, subdomain, selection }: RecordRowProps) => {
  const { key, description, size, version, updated_at, warnings } = record
  return (
    <Row
      item={{ kind: 'record', thing: key }}
      select={<SelectRow id={key} name={key} selection={selection} />}
      isSelected={selection.isSelected(key)}
      icon={<IconDatabase size={20} />}
      title={
        <TextLink to="/spaces/$subdomain/data/$key" params={{ subdomain, key }} className={css.key ?? ''}>
          {key}
        </TextLink>
      }
      badges={
        warnings > 0 && (
          <Badge variant="light" color="yellow" tt="none" c="var(--mantine-color-text)">
            {counted(warnings, 'warning')}
          </Badge>
        )
      }
      text={
        <>
          {description && <div>{description}</div>}
          {formatBytes(size)} · version {version} · <RelativeTime at={updated_at} />
        </>
      }
    />
  )
}

const LOADING = (
  <LoadingRows
    lines={2}
    above={
      <>
        <RecordQuotas />
        <LoadingSearch />
        <LoadingSelection />
      </>
    }
  />
)
