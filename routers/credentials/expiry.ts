import { z } from 'zod'
import { limits } from '../api/rules.ts'

const DAY = 24 * 60 * 60 * 1000

/** Lifetime of a new credential in days; null for one that does not expire. */
export const expiresInDays = z.literal(limits.keyDays).nullable().default(null)

/** How long a rotated credential keeps working, in seconds. */
export const overlapSeconds = z.literal(limits.overlapSeconds)

/** The dates of a stored credential. */
export interface Dates {
  created_at: Date
  expires_at: Date | null
  replaced_at: Date | null
}

/** Converts days to ms. */
export const lifetimeOf = (days: number | null): number | null => (days === null ? null : days * DAY)

/** Returns the expiry of a credential that is issued now. @param lifetime in ms */
export const expiryAfter = (lifetime: number | null, now: Date): Date | null =>
  lifetime === null ? null : new Date(now.getTime() + lifetime)

/** Whether a credential can be rotated: it works and has not been rotated yet. */
export const isRotatable = ({ expires_at, replaced_at }: Dates, now: Date): boolean =>
  replaced_at === null && (expires_at === null || expires_at > now)

/** Returns the lifetime that a credential was issued with, in ms. */
export const originalLifetime = ({ created_at, expires_at }: Dates): number | null =>
  expires_at && expires_at.getTime() - created_at.getTime()

/** Returns the new expiry of a rotated credential: the end of the overlap, or the current expiry if that is earlier. */
export const expiryOfRotated = ({ expires_at }: Dates, overlap: number, now: Date): Date => {
  const end = new Date(now.getTime() + overlap * 1000)
  return expires_at && expires_at < end ? expires_at : end
}

/** Lifetime of an access token, in ms. */
export const ACCESS_LIFETIME = 60 * 60 * 1000

/** How long a used refresh token returns the same response again, in ms. */
export const REFRESH_GRACE = 30_000

/** Time without a refresh after which a grant ends, in ms. */
export const IDLE_GRANT = 90 * 24 * 60 * 60 * 1000
