import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, Response } from 'express'
import { SESSION_LIFETIME } from '../../routers/access/browser-session.ts'

/** The cookie that holds a session token. */
export interface SessionCookie {
  read(req: Request): string | undefined
  /** Sets the session token, or deletes the cookie for null. */
  set(res: Response, token: string | null): void
}

/** @param origin of the main site, where people sign in */
export const sessionCookie = (origin: string): SessionCookie => {
  const isSecure = origin.startsWith('https:')
  // With this prefix browsers accept the cookie from this host only, not from a sibling subdomain.
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
