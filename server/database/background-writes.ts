import type { Database } from '../../db/database.ts'
import { finishDeletions, leftoverCleaner } from '../../db/deleted-spaces.ts'
import { countAuditEvents } from '../../db/queries/audit.ts'
import { recordCredentialUses, recordRefusals } from '../../db/queries/credentials.ts'
import { statisticsRefresher } from '../../db/refresh-statistics.ts'
import { inTransaction } from '../../db/transaction.ts'
import {
  postHistoryTrimmer,
  trimAnswers,
  trimAudit,
  trimDeliveries,
  trimDrafts,
  trimNotifications,
} from '../../routers/accounts/trim.ts'
import type { Core } from '../../routers/api/context.ts'
import { countedEvents } from '../../routers/api/counted-events.ts'
import { lastUsed } from '../../routers/api/last-used.ts'
import { startRetention } from '../../routers/content/history/retention.ts'
import { usageCounter } from '../../routers/credentials/usage/counter.ts'
import { trimUsage, writeUsage } from '../../routers/credentials/usage/store.ts'
import { visitCounter } from '../../routers/visits/counter.ts'
import { readSalt, trimVisits, writeVisits } from '../../routers/visits/store.ts'
import type { OnStop } from '../lifecycle.ts'
import { repeat } from '../lifecycle.ts'
import type { Settings } from '../settings/settings.ts'

/** Interval in ms for deleting content that belongs to no space, and old drafts, audit events, notifications and answers. */
const TRIM_EVERY = 10 * 60_000

/** Interval at which the salts and hashes of earlier days are deleted, in ms. */
const TRIM_VISITS_EVERY = 60_000

/** Interval at which interrupted deletions of spaces are finished, in ms. */
const FINISH_EVERY = 10_000

/** Interval at which the history of posts is trimmed, in ms. */
const TRIM_POST_HISTORY_EVERY = 10_000

/** Starts the writes that no request waits for: counts, times of use, and the deletion of old rows. */
export const startBackgroundWrites = (
  database: Database,
  settings: Pick<Settings, 'history' | 'postHistory' | 'countsVisits'>,
  warn: Core['onFailure'],
  onStop: OnStop,
): Pick<Core, 'lastUsed' | 'countedEvents' | 'usage' | 'visits' | 'onMassWrite' | 'onErase'> & {
  noteWrite: (spaceId: string) => void
} => {
  const uses = lastUsed(
    {
      write: batch => inTransaction(database, sql => recordCredentialUses(sql, batch)),
      refuse: async hints =>
        void (await inTransaction(database, sql => recordRefusals(sql, hints, new Date()))),
    },
    warn('Could not save when keys and tokens were last used'),
  )
  onStop(() => uses.flush())
  const retention = startRetention(database, settings.history, warn('Could not delete old changes of spaces'))
  onStop(() => retention.stop())
  const refreshStatistics = statisticsRefresher(
    database,
    warn('Could not refresh the statistics of the database'),
  )
  const trimming = [
    repeat(TRIM_EVERY, () => trimDrafts(database), warn('Could not delete old drafts')),
    repeat(TRIM_EVERY, () => trimAudit(database), warn('Could not delete old audit events')),
    repeat(TRIM_EVERY, () => trimNotifications(database), warn('Could not delete old notifications')),
    repeat(TRIM_EVERY, () => trimAnswers(database), warn('Could not delete old answers to repeated calls')),
    repeat(TRIM_EVERY, () => trimDeliveries(database), warn('Could not delete old deliveries of webhooks')),
    repeat(TRIM_EVERY, () => trimUsage(database), warn('Could not delete old figures about keys and tokens')),
    repeat(TRIM_VISITS_EVERY, () => trimVisits(database), warn('Could not delete old figures about visits')),
    repeat(TRIM_EVERY, leftoverCleaner(database), warn('Could not delete content that belongs to no space')),
    repeat(
      FINISH_EVERY,
      () => finishDeletions(database),
      warn('Could not delete the content of deleted spaces'),
    ),
    repeat(
      TRIM_POST_HISTORY_EVERY,
      postHistoryTrimmer(database, settings.postHistory),
      warn('Could not delete old changes of posts'),
    ),
  ]
  onStop(() => Promise.all(trimming.map(({ stop }) => stop())))
  const counted = countedEvents(
    batch => countAuditEvents(database, batch),
    warn('Could not count refused calls'),
  )
  onStop(() => counted.flush())
  const usage = usageCounter(
    collected => writeUsage(database, collected),
    warn('Could not count the calls of keys and tokens'),
  )
  onStop(() => usage.flush())
  const visits = settings.countsVisits
    ? visitCounter(
        {
          salt: (day, created) => readSalt(database, day, created),
          write: batch => writeVisits(database, batch),
        },
        warn('Could not count visits'),
      )
    : null
  onStop(() => visits?.flush())
  return {
    lastUsed: uses,
    countedEvents: counted,
    usage,
    visits,
    noteWrite: retention.note,
    onMassWrite: refreshStatistics,
    onErase: retention.noteErasure,
  }
}
