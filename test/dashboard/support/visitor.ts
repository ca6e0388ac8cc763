import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../../routers/index.ts'
import type { World } from '../../support/world.ts'

/** A browser at the screen's door, over HTTP: it keeps the cookie that it is given. */
export interface Visitor {
  api: ReturnType<typeof createTRPCClient<AppRouter>>
  /** The session's cookie as it is sent. */
  cookie: () => string | undefined
}

/** @param start the cookie it has from before */
export const visitor = (world: World, userAgent = 'curl/8', start?: string): Visitor => {
  let cookie = start
  const keepingCookie: typeof fetch = async (address, init) => {
    const headers = new Headers(init?.headers)
    headers.set('user-agent', userAgent)
    // As in `restClient`.
    headers.set('connection', 'close')
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(address, { ...init, headers })
    const given = response.headers.get('set-cookie')
    if (given) cookie = given.includes('Max-Age=0') ? undefined : given.split(';')[0]
    return response
  }
  const api = createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${world.root}/trpc`, fetch: keepingCookie })],
  })
  return { api, cookie: () => cookie }
}

interface Refusal {
  code: string
  fields: string[]
  /** Seconds to wait. */
  retryAfter: number | undefined
}

/** How a call was refused; undefined when it was not. */
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

/** The code that a call was refused with; undefined when it was not. */
export const refusedWith = async (call: Promise<unknown>) => (await refusal(call))?.code

/** The secret of a link. */
export const tokenOf = (link: string) => new URL(link).hash.slice(1)
