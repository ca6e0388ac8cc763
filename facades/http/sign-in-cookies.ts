import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, Response } from 'express'
import { BROWSER_LIFETIME, newToken, SESSION_LIFETIME } from '../../routers/api/browser-session.ts'
import type { Context } from '../../routers/api/context.ts'

/** The part of a procedure's context that describes the calling browser and sets its cookies. */
type BrowserContext = Pick<Context, 'browser' | 'client' | 'userAgent' | 'setSession'>

/**
 * The cookies of people who sign in: one for the session, and one that identifies the browser and outlives sessions.
 */
export interface SignInCookies {
  /** Returns the session token of a request. */
  session(req: Request): string | undefined
  contextOf(req: Request, res: Response): BrowserContext
}

const BROWSER_ID = /^[\w-]{43}$/

/**
 * Creates the functions that read and set these cookies.
 *
 * @param origin origin of the main site, where people sign in
 */
export const signInCookies = (origin: string): SignInCookies => {
  const isSecure = origin.startsWith('https:')
  // The prefix makes browsers accept the cookie only from this host, not from a sibling subdomain.
  const prefix = isSecure ? '__Host-' : ''
  const read = (req: Request, name: string) => parseCookie(req.headers.cookie ?? '')[prefix + name]
  const set = (res: Response, name: string, value: string, lifetime: number) =>
    void res.append(
      'Set-Cookie',
      stringifySetCookie({
        name: prefix + name,
        value,
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: isSecure,
        maxAge: lifetime / 1000,
      }),
    )
  return {
    session: req => read(req, 'session'),
    contextOf: (req, res) => {
      const sent = read(req, 'browser') ?? ''
      const browser = BROWSER_ID.test(sent) ? sent : newToken()
      const userAgent = req.headers['user-agent']
      return {
        browser,
        setSession: token => {
          set(res, 'session', token ?? '', token === null ? 0 : SESSION_LIFETIME)
          if (token !== null) set(res, 'browser', browser, BROWSER_LIFETIME)
        },
        ...(req.ip === undefined ? {} : { client: req.ip }),
        ...(userAgent === undefined ? {} : { userAgent }),
      }
    },
  }
}
