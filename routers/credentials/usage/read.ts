import { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { listFailedCalls, listUsageDays } from '../../../db/queries/usage.ts'
import { timestamp } from '../../api/fields.ts'
import { limits } from '../../api/rules.ts'

const DAY = 24 * 60 * 60_000

const calls = z.int()

/** How a key or token was used lately. */
export const Usage = z.object({
  first_day: z.string(),
  last_day: z.string(),
  /** Oldest first. Leaves out days without calls. */
  days: z.array(
    z.object({ day: z.string(), succeeded: calls, refused: calls, limited: calls, failed: calls }),
  ),
  /** The calls that did not succeed, newest first. */
  failures: z.array(
    z.object({
      at: timestamp,
      method: z.string(),
      path: z.string(),
      status: z.int(),
      code: z.string(),
      fields: z.array(z.string()),
      reference: z.string(),
    }),
  ),
})

/** Reads how a key or token was used. */
export const readUsage = async (sql: Sql, credential: string): Promise<z.output<typeof Usage>> => {
  const now = Date.now()
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  const first = dayOf(now - (limits.usageDays - 1) * DAY)
  const [days, failures] = await Promise.all([
    listUsageDays(sql, credential, first),
    listFailedCalls(sql, credential, new Date(now - limits.failedCallDays * DAY)),
  ])
  return {
    first_day: first,
    last_day: dayOf(now),
    days,
    failures: failures.map(({ at, ...call }) => ({ ...call, at: at.toISOString() })),
  }
}
