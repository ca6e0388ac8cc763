import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../../routers/index.ts'
import type { TestService } from '../../support/test-service.ts'

/** A browser that calls the dashboard's API over HTTP and keeps its cookies. */
export interface DashboardClient {
  api: ReturnType<typeof createTRPCClient<AppRouter>>
  /** Returns the session cookie as the browser sends it. */
  cookie: () => string | undefined
}

/**
 * Creates a browser that calls the dashboard's API.
 *
 * @param start the session cookie to start with
 * @param address the network address, for a service that trusts `X-Forwarded-For`
 */
export const dashboardClient = (
  service: TestService,
  userAgent = 'curl/8',
  start?: string,
  address?: string,
): DashboardClient => {
  const cookies = new Map<string, string>()
  if (start) cookies.set('session', start)
  const keepingCookies: typeof fetch = async (url, init) => {
    const headers = new Headers(init?.headers)
    headers.set('user-agent', userAgent)
    // Open a new connection per request, for the reason given in `rest-client.ts`.
    headers.set('connection', 'close')
    if (address !== undefined) headers.set('x-forwarded-for', address)
    if (cookies.size > 0) headers.set('cookie', [...cookies.values()].join('; '))
    const response = await fetch(url, { ...init, headers })
    for (const given of response.headers.getSetCookie()) {
      const pair = given.split(';')[0]!
      const name = pair.split('=')[0]!
      if (given.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, pair)
    }
    return response
  }
  const api = createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${service.root}/trpc`, fetch: keepingCookies })],
  })
  return { api, cookie: () => cookies.get('session') }
}

interface ReportedProblem {
  code: string
  fields: string[]
  /** Seconds to wait after too many calls. */
  retryAfter: number | undefined
}

/** Returns the problem of a failed call, or undefined if it succeeds. */
export const problemOf = (call: Promise<unknown>): Promise<ReportedProblem | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof TRPCClientError)) throw error
      const { data } = error as TRPCClientError<AppRouter>
      if (!data) throw error
      return {
        code: data.problem.code,
        fields: (data.problem.errors ?? []).map(({ field }) => field),
        retryAfter: data.retryAfter,
      }
    },
  )

/** Returns the error code of a failed call, or undefined if it succeeds. */
export const errorCodeOf = async (call: Promise<unknown>) => (await problemOf(call))?.code

/** Returns the token in a link. */
export const tokenOf = (link: string) => new URL(link).hash.slice(1)
