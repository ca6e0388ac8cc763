import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { relativeTime } from '../ui/RelativeTime.tsx'
import { minute } from '../ui/search-params.ts'
import { type HistorySearch, historySearch } from '../view-search.ts'
import { actorName, type ListedActor } from './describe.ts'
import { KIND_LABELS, PERIOD_LABELS } from './filters.ts'
import { useActors } from './links.tsx'

/** The number of authors that the list shows at once; the others are found by typing. */
const SHOWN_ACTORS = 100

interface HistoryFiltersProps {
  subdomain: string
  search: HistorySearch
  onSearch: (search: HistorySearch) => void
  /** The name of the item whose changes are shown. */
  item: string | null
}

/** Fields that filter the history by kind, author and time. */
export const HistoryFilters = ({ subdomain, search, onSearch, item }: HistoryFiltersProps) => {
  const actors = useActors(subdomain)
  const change = (changed: { [Name in keyof HistorySearch]?: unknown }) =>
    onSearch(historySearch({ ...search, undo: undefined, ...changed }))
  const { kind, thing, actor, when, from, to } = search
  return (
    <Group mb="md" gap="sm" align="flex-start">
      <Select
        label="Show"
        value={kind ?? 'all'}
        allowDeselect={false}
        onChange={value => change({ kind: value, thing: undefined })}
        data={[{ value: 'all', label: 'Everything' }, ...optionsOf(KIND_LABELS)]}
        w="9rem"
      />
      <Select
        label="Time"
        value={when ?? 'any'}
        allowDeselect={false}
        onChange={value => change({ when: value })}
        data={[{ value: 'any', label: 'Any time' }, ...optionsOf(PERIOD_LABELS)]}
        w="10rem"
      />
      <Select
        label="By"
        value={actor ?? 'all'}
        allowDeselect={false}
        searchable
        limit={SHOWN_ACTORS}
        nothingFoundMessage="Nobody has this name"
        onChange={value => change({ actor: value === 'all' ? undefined : value })}
        data={[{ value: 'all', label: 'Everyone' }, ...groupsOf(actors, actor)]}
        renderOption={({ option }) => <ActorOption {...option} actors={actors} />}
        style={{ flex: '0 1 17rem' }}
      />
      {when === 'between' && <TimeFields from={from} to={to} onChange={change} />}
      {thing !== undefined && (
        <Button
          variant="light"
          mt={25}
          maw="100%"
          rightSection={<IconX size={16} aria-hidden />}
          onClick={() => change({ thing: undefined })}
          aria-label={`Only ${item ?? 'one item'}. Show all changes of this kind`}
        >
          Only {item ?? 'one item'}
        </Button>
      )}
    </Group>
  )
}

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/**
 * Returns the authors as options, in groups. The chosen author is an option even if the history no longer has any of
 * their changes.
 */
const groupsOf = (actors: readonly ListedActor[], chosen: string | undefined) => {
  const option = (listed: ListedActor) => ({ value: listed.id, label: shownText(actorName(listed)) })
  const inGroup = (group: string, isInGroup: (listed: ListedActor) => boolean) => {
    const items = actors.filter(isInGroup).map(option)
    return items.length === 0 ? [] : [{ group, items }]
  }
  return [
    ...(chosen === undefined || actors.some(({ id }) => id === chosen)
      ? []
      : [{ value: chosen, label: 'An author without changes' }]),
    ...inGroup('People', ({ kind }) => kind === 'session'),
    ...inGroup('Agents', ({ kind, agent }) => kind !== 'session' && agent !== null),
    ...inGroup('Keys', ({ kind, agent }) => kind !== 'session' && agent === null),
  ]
}

const ActorOption = ({
  value,
  label,
  actors,
}: {
  value: string
  label: string
  actors: readonly ListedActor[]
}) => {
  const listed = actors.find(({ id }) => id === value)
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {label}
      {listed && (
        <Text size="xs" c="dimmed">
          Last change {relativeTime(listed.last_change_at)}
        </Text>
      )}
    </div>
  )
}

/** How long to wait after the last keystroke before the list is filtered, in ms. */
const TYPING_DELAY = 400

interface TimeFieldsProps {
  from: string | undefined
  to: string | undefined
  onChange: (range: Pick<HistorySearch, 'from' | 'to'>) => void
}

/**
 * The start and the end of a period. The fields keep their own state, because the URL has only complete times, and a
 * time is incomplete while it is typed.
 */
export const TimeFields = ({ from, to, onChange }: TimeFieldsProps) => {
  const [typed, setTyped] = useState({ from: from ?? '', to: to ?? '' })
  const commit = useDebouncedCallback(
    (range: typeof typed) => onChange({ from: minute(range.from), to: minute(range.to) }),
    TYPING_DELAY,
  )
  const [start, end] = [minute(typed.from), minute(typed.to)]
  const isReversed = start !== undefined && end !== undefined && end < start
  return (['from', 'to'] as const).map(end => (
    <TextInput
      key={end}
      type="datetime-local"
      label={end === 'from' ? 'From' : 'To'}
      value={typed[end]}
      error={end === 'to' && isReversed ? 'Choose a time after the start' : undefined}
      onChange={event => {
        const range = { ...typed, [end]: event.currentTarget.value }
        setTyped(range)
        commit(range)
      }}
    />
  ))
}
