import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, Response } from 'express'
import { SESSION_LIFETIME } from '../routers/access/session.ts'

/** How a browser keeps somebody's session. */
export interface SessionCookie {
  read(req: Request): string | undefined
  /** Hands the browser a session token, or takes it away. */
  set(res: Response, token: string | null): void
}

/** @param origin of the main door, where people sign in */
export const sessionCookie = (origin: string): SessionCookie => {
  const isSecure = origin.startsWith('https:')
  // The prefix makes browsers refuse the cookie from any other host, a sibling included.
  const name = isSecure ? '__Host-session' : 'session'
  return {
    read: req => parseCookie(req.headers.cookie ?? '')[name],
    set: (res, token) =>
      void res.append(
        'Set-Cookie',
        stringifySetCookie({
          name,
          value: token ?? '',
          path: '/',
          httpOnly: true,
          sameSite: 'lax',
          secure: isSecure,
          maxAge: token === null ? 0 : SESSION_LIFETIME / 1000,
        }),
      ),
  }
}
