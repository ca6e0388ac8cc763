import { QueryCache, QueryClient } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, httpLink, splitLink } from '@trpc/client'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { AppRouter } from '../../routers/index.ts'
import { failureOf } from './feedback/failure.ts'
import { uploadLink } from './upload-link.ts'

/** What procedures take and give, by name. */
export type Inputs = inferRouterInputs<AppRouter>
export type Outputs = inferRouterOutputs<AppRouter>

/** The service's address below which the screen stands, with a slash at its end. */
export const root = new URL('..', document.baseURI)

const url = new URL('trpc', root)

/** Calls that carry a file. */
const UPLOADS: ReadonlySet<string> = new Set(['files.create', 'files.update'])

/** Calls that go alone: what they send is long, what they do takes time, and nothing else is to wait for them. */
const ALONE: ReadonlySet<string> = new Set(['previews.page', 'previews.part'])

export const client = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: ({ path }) => UPLOADS.has(path),
      true: uploadLink(url),
      false: splitLink({
        condition: ({ path }) => ALONE.has(path),
        true: httpLink({ url }),
        false: httpBatchLink({ url, maxURLLength: 4000 }),
      }),
    }),
  ],
})

/** Hears that the service knows nobody by this browser's cookie (any more). */
let onSignedOut = () => {}
export const whenSignedOut = (listener: () => void) => {
  onSignedOut = listener
}

const noticeSignedOut = (error: Error) => {
  if (failureOf(error).kind === 'signed-out') onSignedOut()
}

/** Milliseconds for which what was read is shown without asking again. */
const FRESH = 5_000

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: FRESH,
      // Only what may work the next time is tried again; a refusal is an answer.
      retry: (failures, error) => failures < 2 && navigator.onLine && failureOf(error).kind === 'unreachable',
      // Without a network a view says so, and reads again by itself when there is one.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: {
      // Nothing is kept waiting to be sent at some later time: the person is told, and decides.
      networkMode: 'always',
    },
  },
})

/** Options of queries and mutations for every procedure. */
export const api = createTRPCOptionsProxy<AppRouter>({ client, queryClient: queries })
