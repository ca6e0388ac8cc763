import type { Database } from '../../../db/database.ts'
import {
  addFailedCalls,
  addUsage,
  deleteFailedCalls,
  deleteUsageDays,
  lockCredentials,
} from '../../../db/queries/usage.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { limits } from '../../api/rules.ts'
import type { CollectedUsage } from './counter.ts'

const DAY = 24 * 60 * 60_000

/** Maximum number of rows that one statement deletes. */
const STEP = 1_000

/** Writes what a process has counted. Leaves out keys and tokens that were deleted. */
export const writeUsage = (database: Database, { calls, failures }: CollectedUsage): Promise<void> =>
  inTransaction(database, async sql => {
    const existing = await lockCredentials(sql, [...new Set(calls.map(({ id }) => id))])
    const counted = calls.filter(({ id }) => existing.has(id))
    const failed = failures.filter(({ id }) => existing.has(id))
    if (counted.length > 0) await addUsage(sql, counted)
    if (failed.length > 0) await addFailedCalls(sql, failed, limits.failedCalls)
  })

/**
 * Deletes figures and failed calls that are too old.
 *
 * @param now the current time; a parameter so that tests can set it
 */
export const trimUsage = async (database: Database, now = new Date()): Promise<void> => {
  const time = now.getTime()
  const day = new Date(time - limits.usageDays * DAY).toISOString().slice(0, 10)
  while ((await deleteUsageDays(database, day, STEP)) === STEP);
  const before = new Date(time - limits.failedCallDays * DAY)
  while ((await deleteFailedCalls(database, before, STEP)) === STEP);
}
