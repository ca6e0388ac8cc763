import { type Orm, sqlOf } from '../../../db/orm.ts'
import { deleteOldAuditEvents, shortenAuditLogs } from '../../../db/queries/audit.ts'
import { limits } from '../../core/rules.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

/** Maximum number of events that one statement deletes or merges. */
const STEP = 200

/**
 * Deletes old events of the audit log. If a space or account has too many events of a kind, merges or deletes the
 * oldest of them. Works in small steps.
 *
 * @param now the current time; a parameter so that tests can set it
 * @param kept how many events of each kind a space or account can have
 */
export const trimAudit = async (
  orm: Orm,
  now = new Date(),
  kept: number = limits.auditEvents,
): Promise<void> => {
  const sql = sqlOf(orm)
  const before = new Date(now.getTime() - limits.auditDays * DAY)
  while ((await deleteOldAuditEvents(sql, before, STEP)) === STEP);
  // Check only spaces and accounts with a new event in the last hour. Runs are much less than an hour apart, so no
  // other space or account can have exceeded the maximum since the last run.
  const since = new Date(now.getTime() - HOUR)
  while ((await shortenAuditLogs(sql, kept, since, STEP)) >= STEP);
}
