import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../../routers/index.ts'
import type { World } from '../../support/world.ts'

/** A browser that calls the dashboard's API over HTTP and keeps its cookies. */
export interface Visitor {
  api: ReturnType<typeof createTRPCClient<AppRouter>>
  /** The session cookie as it is sent. */
  cookie: () => string | undefined
}

/**
 * @param start a session cookie from before
 * @param address network address, for a world that trusts `X-Forwarded-For`
 */
export const visitor = (world: World, userAgent = 'curl/8', start?: string, address?: string): Visitor => {
  const cookies = new Map<string, string>()
  if (start) cookies.set('session', start)
  const keepingCookies: typeof fetch = async (url, init) => {
    const headers = new Headers(init?.headers)
    headers.set('user-agent', userAgent)
    // As in `restClient`.
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
    links: [httpBatchLink({ url: `${world.root}/trpc`, fetch: keepingCookies })],
  })
  return { api, cookie: () => cookies.get('session') }
}

interface Refusal {
  code: string
  fields: string[]
  /** In seconds. */
  retryAfter: number | undefined
}

/** Returns the error of a failed call, undefined when it succeeds. */
export const refusal = (call: Promise<unknown>): Promise<Refusal | undefined> =>
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

/** Returns the error code of a failed call, undefined when it succeeds. */
export const refusedWith = async (call: Promise<unknown>) => (await refusal(call))?.code

/** The token in a link. */
export const tokenOf = (link: string) => new URL(link).hash.slice(1)
