import type { Database } from '../../db/database.ts'
import {
  addVisits,
  type CountedVisits,
  deleteSalts,
  deleteVisitDays,
  deleteVisitHours,
  deleteVisitors,
  lockCountedSpaces,
  saltOf,
} from '../../db/queries/visits.ts'
import { inTransaction } from '../../db/transaction.ts'
import { limits } from '../api/rules.ts'

const DAY = 24 * 60 * 60_000

/** Hashes and salts are deleted this long after their day, in ms, so that the last visits of the day can be written. */
const SLACK = 60_000

/** How long the views of each hour are kept, in ms. */
const KEEP_HOURS = 2 * DAY

/** Maximum number of rows that one statement deletes. */
const STEP = 5_000

/** The day of UTC at a time. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The first day whose hashes and salt still exist. */
const currentDay = (now: Date) => dayOf(now.getTime() - SLACK)

/**
 * Writes what a process has counted. Leaves out spaces that were deleted, or whose visits are not counted.
 *
 * @param now the current time; a parameter so that tests can set it
 */
export const writeVisits = (
  database: Database,
  counted: readonly CountedVisits[],
  now = new Date(),
): Promise<void> =>
  inTransaction(database, async sql => {
    const counting = await lockCountedSpaces(sql, [...new Set(counted.map(({ spaceId }) => spaceId))])
    const current = currentDay(now)
    const batch = counted
      .filter(({ spaceId }) => counting.has(spaceId))
      // The visitors of an earlier day cannot be told from those who were already counted, so they are left out.
      .map(figures => (figures.day < current ? { ...figures, visitors: [] } : figures))
    if (batch.length > 0)
      await addVisits(sql, batch, { visitors: limits.exactVisitors, names: limits.visitNames })
  })

/** Returns the salt of a day; see {@link saltOf}. */
export const readSalt = (database: Database, day: string, created: Buffer): Promise<Buffer> =>
  inTransaction(database, sql => saltOf(sql, day, created))

/**
 * Deletes the salts and hashes of earlier days, and figures that are too old.
 *
 * @param now the current time; a parameter so that tests can set it
 */
export const trimVisits = async (database: Database, now = new Date()): Promise<void> => {
  const current = currentDay(now)
  await deleteSalts(database, current)
  while ((await deleteVisitors(database, current, STEP)) === STEP);
  const time = now.getTime()
  while ((await deleteVisitHours(database, new Date(time - KEEP_HOURS), STEP)) === STEP);
  while ((await deleteVisitDays(database, dayOf(time - limits.visitDays * DAY), STEP)) >= STEP);
}
