import { Button, Checkbox, Group, Select, Text } from '@mantine/core'
import { useDidUpdate, useDisclosure } from '@mantine/hooks'
import { IconArrowBackUp, IconColumns } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import picture from '../../shared/illustrations/history.svg?raw'
import noMatch from '../../shared/illustrations/search.svg?raw'
import { api, rpc } from '../api.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { PagedList, usePages } from '../ui/Loaded.tsx'
import { LoadingRows } from '../ui/Loading.tsx'
import { Rows } from '../ui/Rows.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { type HistorySearch, historySearch } from '../view-search.ts'
import { ChangeRow, StarterRow } from './ChangeRow.tsx'
import { actorName, type Change, starterOf, timeOf, titleOf } from './describe.ts'
import { describePeriod, KIND_LABELS, PERIOD_LABELS, rangeOf } from './filters.ts'
import { HistoryFilters, TimeFields } from './HistoryFilters.tsx'
import { useActors } from './links.tsx'
import { UndoDialog } from './UndoDialog.tsx'
import { useLines } from './use-lines.ts'

const route = getRouteApi('/signed-in/spaces/$subdomain/history')

/** The changes of a space, or of one item in it, newest first. */
export const History = () => {
  const { subdomain, name } = useSpace()
  const search: HistorySearch = route.useSearch()
  const navigate = route.useNavigate()
  const { kind, thing, actor, when, from, to } = search
  // Keep the same range for all pages of the list, even as time passes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the values, not on the object
  const range = useMemo(() => rangeOf(search, new Date()), [when, from, to])
  const filter = { subdomain, kind, thing, actor, ...range }
  const history = usePages([...api.history.list.pathKey(), filter], (cursor, options) =>
    rpc.history.list.query({ ...filter, cursor }, options),
  )
  const show = (next: HistorySearch) => void navigate({ search: next, replace: true, resetScroll: false })
  const author = useActors(subdomain).find(({ id }) => id === actor)
  const by = author ? shownText(actorName(author)) : null
  const first = history.data?.pages[0]?.changes[0]
  return (
    <>
      <ViewTitle
        title="History"
        of={name}
        text="Every change to the space, by participants, scripts and agents. You can restore any version that is listed."
      >
        {actor !== undefined && (
          <ButtonLink
            to="."
            search={{ ...search, undo: true }}
            replace
            resetScroll={false}
            variant="default"
            leftSection={<IconArrowBackUp size={18} aria-hidden />}
          >
            Undo changes
          </ButtonLink>
        )}
      </ViewTitle>
      <HistoryFilters
        subdomain={subdomain}
        search={search}
        onSearch={show}
        item={first ? shownText(titleOf(first)) : null}
      />
      <PagedList
        pages={history}
        itemsOf={page => page.changes}
        what="changes"
        placeholder={<LoadingRows count={6} />}
        empty={
          (kind ?? actor ?? describePeriod(search)) != null ? (
            <NoMatches search={search} by={by} onSearch={show} />
          ) : (
            <Empty
              picture={picture}
              title="No changes yet"
              text="Each change to a page, part, record, file or setting appears here, and can be undone."
            />
          )
        }
      >
        {changes =>
          thing === undefined ? (
            <ChangeRows subdomain={subdomain} changes={changes} />
          ) : (
            <VersionRows key={`${kind} ${thing}`} subdomain={subdomain} changes={changes} />
          )
        }
      </PagedList>
      {actor !== undefined && search.undo && (
        <UndoSince
          search={{ ...search, actor }}
          by={by ?? 'this author'}
          onClose={() => show(historySearch({ ...search, undo: undefined }))}
        />
      )}
    </>
  )
}

interface ChangesProps {
  subdomain: string
  changes: Change[]
}

/** The changes of a space; those that a starter made are one row, until the person opens it. */
const ChangeRows = ({ subdomain, changes }: ChangesProps) => {
  const [isOpen, { open }] = useDisclosure()
  const lines = useLines(subdomain, changes)
  const ofStarter = changes.filter(({ operation }) => starterOf(operation) !== null)
  const [first] = ofStarter
  const list = useRef<HTMLUListElement>(null)
  // The button that had the focus is gone.
  useDidUpdate(() => list.current?.focus({ preventScroll: true }), [isOpen])
  const isFolded = !isOpen && ofStarter.length > 1
  return (
    <Rows label="Changes" ref={list}>
      {changes.map(change =>
        isFolded && ofStarter.includes(change) ? (
          change === first && <StarterRow key={change.id} change={change} onOpen={open} />
        ) : (
          <ChangeRow key={change.id} subdomain={subdomain} change={change} lines={lines.get(change.id)} />
        ),
      )}
    </Rows>
  )
}

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
      picture={noMatch}
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

interface UndoSinceProps {
  /** The filters of the history. `actor` is the one whose changes are undone. */
  search: HistorySearch & { actor: string }
  /** The actor's name. */
  by: string
  onClose: () => void
}

const EVER = new Date(0).toISOString()

/**
 * Dialog that undoes everything that one person or key changed in a period. The period of the filter is preselected.
 */
export const UndoSince = ({ search, by, onClose }: UndoSinceProps) => {
  const [period, setPeriod] = useState<HistorySearch>(
    historySearch({ when: search.when ?? 'hour', from: search.from, to: search.to }),
  )
  // The period must not move while the preview is open.
  const [now] = useState(() => new Date())
  const { since = EVER, until } = rangeOf(period, now)
  return (
    <UndoDialog
      title={`Undo changes by ${by}`}
      selection={{ actor: search.actor, since, until }}
      onClose={onClose}
      fields={
        <Group gap="sm" align="flex-start">
          <Select
            label="Changes of"
            value={period.when ?? 'any'}
            allowDeselect={false}
            onChange={when => setPeriod(historySearch({ when }))}
            data={[
              ...Object.entries(PERIOD_LABELS).map(([value, label]) => ({ value, label })),
              { value: 'any', label: 'Any time' },
            ]}
            w="11rem"
          />
          {period.when === 'between' && (
            <TimeFields
              from={period.from}
              to={period.to}
              onChange={range => setPeriod(historySearch({ when: 'between', ...range }))}
            />
          )}
        </Group>
      }
    />
  )
}

/**
 * The changes of one item. Each change produced a version, and two versions can be chosen for a comparison. By default,
 * the newest two are chosen.
 */
export const VersionRows = ({ subdomain, changes }: ChangesProps) => {
  const lines = useLines(subdomain, changes)
  const [picked, setPicked] = useState<readonly string[] | null>(null)
  const listed = changes.map(({ id }) => id)
  const chosen = picked ?? listed.slice(0, 2)
  const [newer, older] = listed.filter(id => chosen.includes(id))
  // If a third version is chosen, the one that was chosen first is deselected.
  const toggle = (id: string) =>
    setPicked(chosen.includes(id) ? chosen.filter(other => other !== id) : [...chosen, id].slice(-2))
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {changes.length > 1 ? 'Choose two versions to compare.' : 'There is only one version so far.'}
        </Text>
        {newer !== undefined && older !== undefined && (
          <ButtonLink
            to="/spaces/$subdomain/history/compare"
            params={{ subdomain }}
            search={{ from: older, to: newer }}
            leftSection={<IconColumns size={18} aria-hidden />}
          >
            Compare the two
          </ButtonLink>
        )}
      </Group>
      <Rows label="Changes">
        {changes.map((change, index) => (
          <ChangeRow key={change.id} subdomain={subdomain} change={change} lines={lines.get(change.id)}>
            <Checkbox
              label="Choose"
              aria-label={`Choose the version of ${timeOf(change)}`}
              checked={chosen.includes(change.id)}
              onChange={() => toggle(change.id)}
            />
            {index > 0 && (
              <ButtonLink
                variant="default"
                size="xs"
                to="/spaces/$subdomain/history/compare"
                params={{ subdomain }}
                search={{ from: change.id }}
                aria-label={`Compare with now: the version of ${timeOf(change)}`}
              >
                Compare with now
              </ButtonLink>
            )}
          </ChangeRow>
        ))}
      </Rows>
    </>
  )
}
