import { z } from 'zod'
import { limits } from '../core/rules.ts'

const DAY = 24 * 60 * 60 * 1000

/** After how many days a new key or token ends by itself; never unless said. */
export const expiresInDays = z.literal(limits.keyDays).nullable().default(null)

/** Seconds for which one that is replaced goes on working. */
export const overlapSeconds = z.literal(limits.overlapSeconds)

/** Milliseconds that one is to work for; null for one without an end. */
export const lifetimeOf = (days: number | null): number | null => (days === null ? null : days * DAY)

/** When something that is issued now ends. @param lifetime in milliseconds */
export const endAfter = (lifetime: number | null, now: Date): Date | null =>
  lifetime === null ? null : new Date(now.getTime() + lifetime)

interface Replaceable {
  created_at: Date
  expires_at: Date | null
  replaced_at: Date | null
}

/** Whether another one may take its place: it has neither ended, nor is there another one already. */
export const isReplaceable = ({ expires_at, replaced_at }: Replaceable, now: Date): boolean =>
  replaced_at === null && (expires_at === null || expires_at > now)

/** Milliseconds that one was issued for, which whatever takes its place gets too. */
export const lifetimeAsIssued = ({ created_at, expires_at }: Replaceable): number | null =>
  expires_at && expires_at.getTime() - created_at.getTime()

/** When one that is replaced now ends: after the overlap, but never later than it would have by itself. */
export const endOfReplaced = ({ expires_at }: Replaceable, overlap: number, now: Date): Date => {
  const end = new Date(now.getTime() + overlap * 1000)
  return expires_at && expires_at < end ? expires_at : end
}
