import { createExpressMiddleware } from '@trpc/server/adapters/express'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, RequestHandler, Response } from 'express'
import type { Actor } from '../routers/access/actor.ts'
import { SESSION_LIFETIME } from '../routers/access/session.ts'
import type { Context } from '../routers/context.ts'
import type { AppRouter } from '../routers/index.ts'
import { Problem, problemOf } from '../routers/problem.ts'
import { limits } from '../routers/rules.ts'

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
  const isSecure = options.origin.startsWith('https:')
  // The prefix makes browsers refuse the cookie from any other host, a sibling included.
  const cookieName = isSecure ? '__Host-session' : 'session'

  const setCookie = (res: Response, token: string | null) =>
    res.append(
      'Set-Cookie',
      stringifySetCookie({
        name: cookieName,
        value: token ?? '',
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: isSecure,
        maxAge: token === null ? 0 : SESSION_LIFETIME / 1000,
      }),
    )

  return createExpressMiddleware({
    router: options.router,
    maxBodySize: limits.fileBody,
    createContext: async ({ req, res }) => {
      if (isCrossSite(req, options.origin)) throw new Problem('cross_site_request')
      const token = parseCookie(req.headers.cookie ?? '')[cookieName]
      const context: Context = {
        ...options.contextFor(await options.authenticate(token)),
        reference: options.referenceOf(req),
        setSession: token => void setCookie(res, token),
      }
      return req.ip === undefined ? context : { ...context, client: req.ip }
    },
    responseMeta: () => ({ headers: new Headers({ 'cache-control': 'no-store' }) }),
    onError: ({ error, ctx }) => {
      const problem = problemOf(error)
      if (problem.problem === 'internal_error')
        options.onFault(problem.cause ?? problem, ctx?.reference ?? 'unknown')
    },
  })
}

/** Whether a browser says that another site's page sent the request. Programs other than browsers say nothing. */
const isCrossSite = ({ headers }: Request, origin: string): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return headers.origin !== undefined && headers.origin !== origin
}
