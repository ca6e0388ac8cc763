import { createExpressMiddleware } from '@trpc/server/adapters/express'
import type { Request, RequestHandler } from 'express'
import type { Actor } from '../../routers/core/actor.ts'
import type { Context } from '../../routers/core/context.ts'
import { Problem, problemOf } from '../../routers/core/problem.ts'
import { limits } from '../../routers/core/rules.ts'
import type { AppRouter } from '../../routers/index.ts'
import { isCrossSite } from '../http/cross-site.ts'
import { sessionCookie } from '../http/session-cookie.ts'

/** What the tRPC handler needs from the process. */
export interface TrpcOptions {
  router: AppRouter
  /** Origin of the dashboard; requests from any other are refused. */
  origin: string
  authenticate: (sessionToken: string | undefined) => Promise<Actor | null>
  contextFor: (actor: Actor | null) => Context
  onFault: (error: unknown, reference: string) => void
  referenceOf: (req: Request) => string
}

/** Typed calls of the dashboard, authenticated by the session cookie. Keys and tokens are not accepted. */
export const trpcHandler = (options: TrpcOptions): RequestHandler => {
  const cookie = sessionCookie(options.origin)

  return createExpressMiddleware({
    router: options.router,
    maxBodySize: limits.fileBody,
    createContext: async ({ req, res }) => {
      if (isCrossSite(req, options.origin))
        throw new Problem('cross_site_request', { detail: `The dashboard works at ${options.origin} only.` })
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
