import { type Orm, sqlOf } from '../../../../db/orm.ts'
import {
  deleteExcessPostChanges,
  deleteOldPostChanges,
  listAuthorsSince,
} from '../../../../db/queries/post-history.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

/** Maximum number of changes that one statement deletes. */
const STEP = 200

/** How much of the history of posts is kept. */
export interface PostRetentionLimits {
  days: number
  /** Maximum number of changes of each post. */
  versions: number
  /** Maximum size of the history of all posts of an account, in bytes. */
  bytes: number
}

/**
 * Deletes the changes of posts that exceed the retention limits, in small steps.
 *
 * @param since only accounts that changed a post since this time are checked against `versions` and `bytes`
 * @param now the current time; a parameter so that tests can set it
 */
export const trimPostHistory = async (
  orm: Orm,
  { days, versions, bytes }: PostRetentionLimits,
  since: Date,
  now = new Date(),
): Promise<void> => {
  const sql = sqlOf(orm)
  const before = new Date(now.getTime() - days * DAY)
  while ((await deleteOldPostChanges(sql, before, STEP)) === STEP);
  for (const accountId of await listAuthorsSince(sql, since))
    while ((await deleteExcessPostChanges(sql, accountId, { versions, bytes }, STEP)) === STEP);
}

/**
 * Returns a function that trims the history of posts. Each call deletes old changes of all accounts. A call checks the
 * limits `versions` and `bytes` only for accounts with recent changes. For the first call, these are changes in the
 * last 24 hours. For a later call, these are changes since one hour before the previous call.
 */
export const postHistoryTrimmer = (orm: Orm, limits: PostRetentionLimits): (() => Promise<void>) => {
  let since = new Date(Date.now() - DAY)
  return async () => {
    // Go back an hour, because writes can take a while to commit, and the clocks of other processes differ.
    const next = new Date(Date.now() - HOUR)
    await trimPostHistory(orm, limits, since)
    since = next
  }
}
