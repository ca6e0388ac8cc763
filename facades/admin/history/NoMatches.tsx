import { Button, Group } from '@mantine/core'
import picture from '../../shared/illustrations/search.svg?raw'
import { Empty } from '../feedback/Empty.tsx'
import { describePeriod, KIND_LABELS } from './filters.ts'
import type { HistorySearch } from './history-search.ts'

interface NoMatchesProps {
  search: HistorySearch
  /** The name of the author by whom the list is filtered. */
  by: string | null
  onSearch: (search: HistorySearch) => void
}

/** Shown when no change matches the filters: which filters are set, and buttons that clear them. */
export const NoMatches = ({ search, by, onSearch }: NoMatchesProps) => {
  const { kind, thing, actor, when, from, to } = search
  const ofKind = { kind, thing }
  const byActor = { actor }
  const inPeriod = { when, from, to }
  const what = thing !== undefined ? 'this item' : kind === undefined ? null : KIND_LABELS[kind].toLowerCase()
  const period = describePeriod(search)
  const filters = [
    what !== null && { label: 'Show everything', text: `to ${what}`, without: { ...byActor, ...inPeriod } },
    actor !== undefined && {
      label: 'Show everyone',
      text: `by ${by ?? 'this author'}`,
      without: { ...ofKind, ...inPeriod },
    },
    period !== null && { label: 'Show any time', text: period, without: { ...ofKind, ...byActor } },
  ].filter(filter => filter !== false)
  return (
    <Empty
      picture={picture}
      title="No changes match"
      text={`There are no changes ${filters.map(({ text }) => text).join(' ')}. Old changes are deleted, except the latest ones of each item.`}
    >
      <Group justify="center" gap="xs">
        {filters.length > 1 &&
          filters.map(({ label, without }) => (
            <Button key={label} variant="default" onClick={() => onSearch(without)}>
              {label}
            </Button>
          ))}
        <Button onClick={() => onSearch({})}>
          {filters.length > 1 ? 'Clear all filters' : 'Clear the filter'}
        </Button>
      </Group>
    </Empty>
  )
}
