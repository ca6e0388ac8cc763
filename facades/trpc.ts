import { createExpressMiddleware } from '@trpc/server/adapters/express'
import type { Request, RequestHandler } from 'express'
import type { Actor } from '../routers/core/actor.ts'
import type { Context } from '../routers/core/context.ts'
import { Problem, problemOf } from '../routers/core/problem.ts'
import { limits } from '../routers/core/rules.ts'
import type { AppRouter } from '../routers/index.ts'
import { isCrossSite } from './cross-site.ts'
import { sessionCookie } from './session-cookie.ts'

/** What the screen's door needs of the process. */
export interface TrpcOptions {
  router: AppRouter
  /** Origin of the screen; requests from any other are refused. */
  origin: string
  authenticate: (sessionToken: string | undefined) => Promise<Actor | null>
  contextFor: (actor: Actor | null) => Context
  onFault: (error: unknown, reference: string) => void
  referenceOf: (req: Request) => string
}

/** The screen's door: typed calls with a session cookie. Keys and tokens do not open it. */
export const trpcDoor = (options: TrpcOptions): RequestHandler => {
  const cookie = sessionCookie(options.origin)

  return createExpressMiddleware({
    router: options.router,
    maxBodySize: limits.fileBody,
    createContext: async ({ req, res }) => {
      if (isCrossSite(req, options.origin))
        throw new Problem('cross_site_request', { detail: `The screen opens at ${options.origin} only.` })
      const context: Context = {
        ...options.contextFor(await options.authenticate(cookie.read(req))),
        reference: options.referenceOf(req),
        setSession: token => cookie.set(res, token),
      }
      const userAgent = req.headers['user-agent']
      return {
        ...context,
        ...(req.ip === undefined ? {} : { client: req.ip }),
        ...(userAgent === undefined ? {} : { userAgent }),
      }
    },
    responseMeta: () => ({ headers: new Headers({ 'cache-control': 'no-store' }) }),
    onError: ({ error, ctx }) => {
      const problem = problemOf(error)
      if (problem.problem === 'internal_error')
        options.onFault(problem.cause ?? problem, ctx?.reference ?? 'unknown')
    },
  })
}
