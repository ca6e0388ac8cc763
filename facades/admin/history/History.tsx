import { Button, Group, Select, Stack } from '@mantine/core'
import { IconHistory, IconX } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { shownText } from '../../../routers/core/shown-text.ts'
import { api, client } from '../api.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { ShowOlder } from '../feedback/ShowOlder.tsx'
import { Rows } from '../shell/Rows.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { ChangeRow } from './ChangeRow.tsx'
import { actorName, titleOf } from './describe.ts'
import { type ChangeKind, type HistorySearch, KIND_LABELS } from './history-search.ts'

const route = getRouteApi('/signed-in/spaces/$subdomain/history')

/** The changes of a space, or of one item in it, newest first. */
export const History = () => {
  const { subdomain, name } = useSpace()
  const search: HistorySearch = route.useSearch()
  const navigate = route.useNavigate()
  const { kind, thing, actor } = search
  const history = useInfiniteQuery({
    queryKey: [...api.history.list.pathKey(), subdomain, search],
    queryFn: ({ pageParam: cursor, signal }) =>
      client.history.list.query({ subdomain, kind, thing, actor, cursor }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const changes = history.data?.pages.flatMap(page => page.changes) ?? []
  const show = (filter: HistorySearch) => void navigate({ search: filter, replace: true })
  const { thing: _, ...withoutThing } = search
  const { actor: __, ...withoutActor } = search
  const [first] = changes
  const isFiltered = kind !== undefined || actor !== undefined
  return (
    <>
      <ViewTitle
        title="History"
        of={name}
        text="Every change to the space, by participants, scripts and agents. You can restore any version that is listed."
      />
      <Group mb="md" align="flex-end">
        <Select
          label="Show"
          value={kind ?? 'all'}
          allowDeselect={false}
          onChange={value => {
            const next = actor === undefined ? {} : { actor }
            show(value === null || value === 'all' ? next : { ...next, kind: value as ChangeKind })
          }}
          data={[
            { value: 'all', label: 'Everything' },
            ...Object.entries(KIND_LABELS).map(([value, label]) => ({ value, label })),
          ]}
          w="11rem"
        />
        {thing !== undefined && (
          <Button
            variant="light"
            rightSection={<IconX size={16} aria-hidden />}
            onClick={() => show(withoutThing)}
            aria-label="Show all changes of this kind"
          >
            Only {first ? shownText(titleOf(first)) : 'one item'}
          </Button>
        )}
        {actor !== undefined && (
          <Button
            variant="light"
            rightSection={<IconX size={16} aria-hidden />}
            onClick={() => show(withoutActor)}
            aria-label="Show changes by everyone"
          >
            Only by {first ? shownText(actorName(first.actor)) : 'one caller'}
          </Button>
        )}
      </Group>
      {history.isPending ? (
        <Loading />
      ) : history.isError && changes.length === 0 ? (
        <FailureView error={history.error} retry={() => void history.refetch()} />
      ) : changes.length === 0 ? (
        <Empty
          icon={<IconHistory />}
          title={isFiltered ? 'No changes match' : 'No changes yet'}
          text={
            isFiltered
              ? 'Old changes are deleted, except the latest ones of each item.'
              : 'Each change to a page, part, record, file or setting appears here, and can be undone.'
          }
        >
          {isFiltered && (
            <Button variant="default" onClick={() => show({})}>
              Show everything
            </Button>
          )}
        </Empty>
      ) : (
        <Stack>
          <Rows label="Changes">
            {changes.map(change => (
              <ChangeRow key={change.id} subdomain={subdomain} change={change} />
            ))}
          </Rows>
          <ShowOlder query={history} what="changes" />
        </Stack>
      )}
    </>
  )
}
