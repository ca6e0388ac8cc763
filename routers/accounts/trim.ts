import type { Database } from '../../db/database.ts'
import { deleteOldAuditEvents, shortenAuditLogs } from '../../db/queries/audit.ts'
import { deleteOldDrafts, deleteOrphanedDrafts } from '../../db/queries/drafts.ts'
import { deleteExcessAnswers, deleteOldAnswers } from '../../db/queries/kept-answers.ts'
import { deleteExcessNotifications, deleteOldNotifications } from '../../db/queries/notifications.ts'
import {
  deleteExcessPostChanges,
  deleteOldPostChanges,
  listAuthorsSince,
} from '../../db/queries/post-history.ts'
import { deleteOldDeliveries } from '../../db/queries/webhooks.ts'
import { limits } from '../api/rules.ts'

// What the service deletes in the background, in small steps, because nobody needs it any more. Histories of spaces are
// trimmed by `content/history/retention.ts`.

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

/** Maximum number of rows that one statement deletes or merges. */
const STEP = 200

/**
 * Deletes old events of the audit log. If a space or account has too many events of a kind, merges or deletes the
 * oldest of them. Works in small steps.
 *
 * @param now the current time; a parameter so that tests can set it
 * @param kept how many events of each kind a space or account can have
 */
export const trimAudit = async (
  database: Database,
  now = new Date(),
  kept: number = limits.auditEvents,
): Promise<void> => {
  const before = new Date(now.getTime() - limits.auditDays * DAY)
  while ((await deleteOldAuditEvents(database, before, STEP)) === STEP);
  // Check only spaces and accounts with a new event in the last hour. Runs are much less than an hour apart, so no
  // other space or account can have exceeded the maximum since the last run.
  const since = new Date(now.getTime() - HOUR)
  while ((await shortenAuditLogs(database, kept, since, STEP)) >= STEP);
}

/**
 * Deletes drafts that have not been changed for a long time, and drafts of deleted items that the history can no longer
 * restore.
 *
 * @param now the current time; a parameter so that tests can move it
 */
export const trimDrafts = async (database: Database, now = new Date()): Promise<void> => {
  const before = new Date(now.getTime() - limits.draftDays * DAY)
  while ((await deleteOldDrafts(database, before, STEP)) === STEP);
  for (let after: string | undefined = ''; after !== undefined; )
    after = await deleteOrphanedDrafts(database, after, STEP)
}

/**
 * Deletes old notifications, and the oldest ones of accounts that have too many. Works in small steps.
 *
 * @param now the current time; a parameter so that tests can set it
 * @param kept how many notifications an account can have
 */
export const trimNotifications = async (
  database: Database,
  now = new Date(),
  kept: number = limits.notifications,
): Promise<void> => {
  const before = new Date(now.getTime() - limits.notificationDays * DAY)
  while ((await deleteOldNotifications(database, before, STEP)) === STEP);
  // Only accounts with a new notification since the last run can have too many. Runs are much less than an hour apart.
  const since = new Date(now.getTime() - HOUR)
  while ((await deleteExcessNotifications(database, kept, since, STEP)) === STEP);
}

/**
 * Deletes old answers to calls with an `Idempotency-Key`, and the oldest ones of credentials that have too many. Works
 * in small steps.
 *
 * @param now the current time; a parameter so that tests can set it
 * @param kept how many answers a key or token can have
 */
export const trimAnswers = async (
  database: Database,
  now = new Date(),
  kept: number = limits.keptAnswers,
): Promise<void> => {
  const before = new Date(now.getTime() - limits.keptAnswerHours * HOUR)
  while ((await deleteOldAnswers(database, before, STEP)) === STEP);
  // Only credentials with a new answer since the last run can have too many. Runs are much less than an hour apart.
  const since = new Date(now.getTime() - HOUR)
  while ((await deleteExcessAnswers(database, kept, since, STEP)) === STEP);
}

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
  database: Database,
  { days, versions, bytes }: PostRetentionLimits,
  since: Date,
  now = new Date(),
): Promise<void> => {
  const before = new Date(now.getTime() - days * DAY)
  while ((await deleteOldPostChanges(database, before, STEP)) === STEP);
  for (const accountId of await listAuthorsSince(database, since))
    while ((await deleteExcessPostChanges(database, accountId, { versions, bytes }, STEP)) === STEP);
}

/**
 * Returns a function that trims the history of posts. Each call deletes old changes of all accounts. A call checks the
 * limits `versions` and `bytes` only for accounts with recent changes. For the first call, these are changes in the
 * last 24 hours. For a later call, these are changes since one hour before the previous call.
 */
export const postHistoryTrimmer = (
  database: Database,
  limits: PostRetentionLimits,
): (() => Promise<void>) => {
  let since = new Date(Date.now() - DAY)
  return async () => {
    // Go back an hour, because writes can take a while to commit, and the clocks of other processes differ.
    const next = new Date(Date.now() - HOUR)
    await trimPostHistory(database, limits, since)
    since = next
  }
}

/**
 * Deletes old deliveries of webhooks. Works in small steps.
 *
 * @param now the current time; a parameter so that tests can set it
 */
export const trimDeliveries = async (database: Database, now = new Date()): Promise<void> => {
  const before = new Date(now.getTime() - limits.webhookDeliveryDays * DAY)
  while ((await deleteOldDeliveries(database, before, STEP)) === STEP);
}
