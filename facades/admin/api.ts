import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, httpLink, splitLink, type TRPCLink } from '@trpc/client'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { AppRouter } from '../../routers/index.ts'
import { MAX_BATCH } from '../shared/dashboard.ts'
import { fetchWithProgress } from './fetch-with-progress.ts'
import { failureOf } from './ui/failure.ts'

/** Input and output types of the procedures, by name. */
export type Inputs = inferRouterInputs<AppRouter>
export type Outputs = inferRouterOutputs<AppRouter>

/** The service's root URL, with a trailing slash. The dashboard is at `admin/` below it. */
export const root = new URL('..', document.baseURI)

/** The address of the procedures. */
export const url = new URL('trpc', root)

/** Calls that upload a file and report progress. */
const UPLOADS: ReadonlySet<string> = new Set(['files.create', 'files.update'])

/** The tRPC context of a call that uploads a file. `onSent` gets the fraction that has been sent, from 0 to 1. */
export interface UploadContext {
  onSent: (fraction: number) => void
}

/** Abort an upload after this time without progress, in ms. */
const STALL_TIMEOUT = 60_000

/** Sends each call in its own request, because a batch of files could exceed the body size limit. */
const uploadLink: TRPCLink<AppRouter> = runtime => operation => {
  const { onSent } = operation.op.context as Partial<UploadContext>
  const stalled = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(new TypeError('The connection was lost')), STALL_TIMEOUT)
  }
  const send: typeof fetch = (address, { signal, ...init } = {}) => {
    restartTimer()
    return fetchWithProgress(address as URL | string, {
      ...init,
      signal: signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal,
      onSent: fraction => {
        restartTimer()
        onSent?.(fraction)
      },
    }).finally(() => clearTimeout(timer))
  }
  return httpLink<AppRouter>({ url, fetch: send })(runtime)(operation)
}

/** Calls that are never batched: they are large and slow, and would delay the other calls of a batch. */
const UNBATCHED: ReadonlySet<string> = new Set([
  'previews.page',
  'previews.part',
  'writing.preview',
  'delivery.failingPages',
  'delivery.pageTitles',
  'instance.check',
  'spaces.findTexts',
  'unsaved.keep',
  'unsavedPosts.keep',
  'writing.findTexts',
])

export const rpc = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: ({ path }) => UPLOADS.has(path),
      true: uploadLink,
      false: splitLink({
        condition: ({ path }) => UNBATCHED.has(path),
        true: httpLink({ url }),
        false: httpBatchLink({ url, maxURLLength: 4000, maxItems: MAX_BATCH }),
      }),
    }),
  ],
})

let signedOutListener = () => {}
/** Sets the listener for queries that fail because this browser has no valid session. */
export const onSignedOut = (listener: () => void) => {
  signedOutListener = listener
}

const reportSignedOut = (error: Error) => {
  if (failureOf(error).kind === 'signed-out') signedOutListener()
}

/** Refetches the role of a person who was refused because it has changed since the view was shown. */
const refetchRole = (error: Error) => {
  if (failureOf(error).code === 'owners_only')
    void queryClient.invalidateQueries({ queryKey: [['participants']] })
}

/**
 * What views refetch after a mutation of a router; by default, what that router returns. `all` stands for every query.
 */
const CHANGED: Readonly<Record<string, readonly string[] | 'all'>> = {
  // The dialogs and forms that call these decide themselves what to refetch, and when.
  accounts: [],
  comments: ['discussions'],
  // The record's editor owns the record.
  data: ['records'],
  history: 'all',
  invites: ['invites', 'participants'],
  me: ['me', 'accounts', 'writing'],
  // What a person has issued in a space ends with the participation, or when they become an editor.
  participants: ['participants', 'invites', 'keys', 'webhooks', 'spaces'],
  postHistory: 'all',
  sessions: ['sessions', 'recovery'],
  spaces: ['spaces', 'space'],
  suspensions: ['suspensions', 'reports'],
}

/** Refetches what a mutation has changed. The first element of its key is the path of its procedure or router. */
const refetchChanged = ([path]: readonly unknown[] = []) => {
  const [router] = Array.isArray(path) ? (path as string[]) : []
  if (router === undefined) return
  const changed = CHANGED[router] ?? [router]
  if (changed === 'all') void queryClient.invalidateQueries()
  else for (const name of changed) void queryClient.invalidateQueries({ queryKey: [[name]] })
}

/** How long cached data is shown without refetching, in ms. */
const STALE_TIME = 5_000

/**
 * A client that also repeats first requests when it invalidates queries: their answers may be older than the change. The
 * base class repeats only requests of queries that have data. And a next page of a list that the person has requested
 * is not given up for that: the list is refetched after it.
 */
class RepeatingQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters: InvalidateQueryFilters<Key> = {},
    options?: InvalidateOptions,
  ): Promise<void> {
    const { predicate = () => true } = filters
    const loading = this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
    const more = new Set(loading.filter(({ state }) => state.fetchMeta?.fetchMore))
    for (const query of loading) {
      if (query.state.data !== undefined) continue
      void query.cancel({ silent: true })
      // Who waits for the cancelled request gets the answer to this one.
      query.fetch().catch(() => {})
    }
    await Promise.all([
      super.invalidateQueries(
        { ...filters, predicate: query => predicate(query) && !more.has(query) },
        options,
      ),
      ...Array.from(more, async query => {
        await query.promise?.catch(() => {})
        await super.invalidateQueries({ queryKey: query.queryKey, exact: true }, options)
      }),
    ])
  }
}

export const queryClient = new RepeatingQueryClient({
  queryCache: new QueryCache({
    onError: error => {
      reportSignedOut(error)
      refetchRole(error)
    },
  }),
  mutationCache: new MutationCache({
    onSuccess: (_data, _input, _result, { options }) => refetchChanged(options.mutationKey),
    onError: (error, _input, _result, { options }) => {
      refetchRole(error)
      // Someone else has changed or deleted the item in the meantime.
      if (['not-found', 'conflict'].includes(failureOf(error).kind)) refetchChanged(options.mutationKey)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: STALE_TIME,
      // Retry network failures only. After an error response, a retry would return the same error.
      retry: (failures, error) => failures < 2 && navigator.onLine && failureOf(error).kind === 'unreachable',
      // Without a network, views show an error and refetch on reconnect.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: {
      // Offline mutations fail immediately instead of being queued, so that the person decides when to send them again.
      networkMode: 'always',
    },
  },
})

/** TanStack Query options for every procedure. */
export const api = createTRPCOptionsProxy<AppRouter>({ client: rpc, queryClient })
