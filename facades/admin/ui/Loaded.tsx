import { Button, Center, Stack } from '@mantine/core'
import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { type ComponentType, type ReactNode, type RefObject, useRef } from 'react'
import { FailureView } from './FailureView.tsx'
import { FormFailure } from './FormFailure.tsx'
import { Loading, LoadingRows } from './Loading.tsx'

type Loadable<Data> = Pick<UseQueryResult<Data, unknown>, 'data' | 'error' | 'isPending'> & {
  refetch: () => Promise<unknown>
}

interface LoadedProps<Data> {
  query: Loadable<Data>
  /** Shown above the placeholder and above the failure, such as a title that needs no data. */
  above?: ReactNode
  placeholder?: ReactNode
  /** Level of the failure's heading: 1 if it replaces a whole view. */
  level?: 1 | 2
  /** Says why the query failed, and offers to try again. */
  failure?: ComponentType<{ error: unknown; retry: () => void; level: 1 | 2 }>
  children: (data: Data) => ReactNode
}

/** Shows what a query has loaded; until then a placeholder, and if it could not be loaded, why. */
export const Loaded = <Data,>({
  query,
  above,
  placeholder = <Loading />,
  level = 2,
  failure: Failed = FailureView,
  children,
}: LoadedProps<Data>) => {
  if (query.data !== undefined) return children(query.data)
  return (
    <>
      {above}
      {query.isPending ? (
        placeholder
      ) : (
        <Failed level={level} error={query.error} retry={() => void query.refetch()} />
      )}
    </>
  )
}

/** Combines two queries whose data a view needs together, for `Loaded`. */
export const both = <A, B>(a: Loadable<A>, b: Loadable<B>): Loadable<[A, B]> => {
  const error = a.error ?? b.error
  return {
    data: a.data !== undefined && b.data !== undefined ? [a.data, b.data] : undefined,
    error,
    isPending: error === null && (a.isPending || b.isPending),
    refetch: () => Promise.all([a.refetch(), b.refetch()]),
  }
}

/**
 * Queries a list that loads page by page.
 *
 * @param key identifies the list and its filter
 * @param load loads the page at a cursor; null for the first page
 */
export const usePages = <Page extends { next: string | null }>(
  key: QueryKey,
  load: (cursor: string | null, options: { signal: AbortSignal }) => Promise<Page>,
  options: { enabled?: boolean; gcTime?: number; staleTime?: 'static' } = {},
) =>
  useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load(pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    ...options,
  })

/** A list that `usePages` queries. */
export type Pages<Page> = UseInfiniteQueryResult<InfiniteData<Page>>

interface ShowMoreProps {
  pages: Pick<Pages<unknown>, 'error' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  /** The button's text, such as "Show older changes". */
  children: ReactNode
}

/** The end of a list that loads page by page: a button that loads the next page, and why the last attempt failed. */
export const ShowMore = ({ pages, children }: ShowMoreProps) => (
  <>
    <FormFailure error={pages.error} />
    {pages.hasNextPage && (
      <Center>
        <Button
          variant="default"
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {children}
        </Button>
      </Center>
    )}
  </>
)

interface PagedListProps<Page, Item> {
  pages: Pages<Page>
  itemsOf: (page: Page) => Item[]
  /** What the list contains, such as "changes". */
  what: string
  placeholder?: ReactNode
  /** Shown if there are no items. */
  empty: ReactNode
  gap?: 'sm'
  maw?: string
  /** Renders the items. `list` can get the focus when the row that had it is gone. */
  children: (items: Item[], list: RefObject<HTMLDivElement | null>) => ReactNode
}

/** A list that loads page by page, in each of its states. */
export const PagedList = <Page, Item>({
  pages,
  itemsOf,
  what,
  placeholder = <LoadingRows />,
  empty,
  gap,
  maw,
  children,
}: PagedListProps<Page, Item>) => {
  const list = useRef<HTMLDivElement>(null)
  const items = pages.data?.pages.flatMap(itemsOf) ?? []
  return (
    <div ref={list} tabIndex={-1} style={{ outline: 'none' }}>
      {items.length > 0 ? (
        <Stack {...(gap && { gap })} {...(maw && { maw })}>
          {children(items, list)}
          <ShowMore pages={pages}>Show older {what}</ShowMore>
        </Stack>
      ) : (
        <Loaded query={pages} placeholder={placeholder}>
          {() => empty}
        </Loaded>
      )}
    </div>
  )
}
