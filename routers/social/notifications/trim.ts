import { type Orm, sqlOf } from '../../../db/orm.ts'
import { deleteExcessNotifications, deleteOldNotifications } from '../../../db/queries/notifications.ts'
import { limits } from '../../core/rules.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

/** Maximum number of notifications that one statement deletes. */
const STEP = 200

/**
 * Deletes old notifications, and the oldest ones of accounts that have too many. Works in small steps.
 *
 * @param now the current time; a parameter so that tests can set it
 * @param kept how many notifications an account can have
 */
export const trimNotifications = async (
  orm: Orm,
  now = new Date(),
  kept: number = limits.notifications,
): Promise<void> => {
  const sql = sqlOf(orm)
  const before = new Date(now.getTime() - limits.notificationDays * DAY)
  while ((await deleteOldNotifications(sql, before, STEP)) === STEP);
  // Only accounts with a new notification since the last run can have too many. Runs are much less than an hour apart.
  const since = new Date(now.getTime() - HOUR)
  while ((await deleteExcessNotifications(sql, kept, since, STEP)) === STEP);
}
