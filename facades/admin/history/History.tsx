import { IconArrowBackUp } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import picture from '../../shared/illustrations/history.svg?raw'
import { api, client } from '../api.ts'
import { Empty } from '../feedback/Empty.tsx'
import { PagedList, usePages } from '../feedback/Loaded.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { LoadingRows } from '../shell/LoadingRows.tsx'
import { Rows } from '../shell/Rows.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { ChangeRow } from './ChangeRow.tsx'
import { actorName, titleOf } from './describe.ts'
import { describePeriod, rangeOf } from './filters.ts'
import { HistoryFilters } from './HistoryFilters.tsx'
import { type HistorySearch, historySearch } from './history-search.ts'
import { NoMatches } from './NoMatches.tsx'
import { UndoSince } from './UndoSince.tsx'
import { useActors } from './use-actors.ts'
import { VersionRows } from './VersionRows.tsx'

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
    client.history.list.query({ ...filter, cursor }, options),
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
            <Rows label="Changes">
              {changes.map(change => (
                <ChangeRow key={change.id} subdomain={subdomain} change={change} />
              ))}
            </Rows>
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
