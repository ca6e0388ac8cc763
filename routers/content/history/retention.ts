import type { Database } from '../../../db/database.ts'
import { MissingRowError, withMembershipLocked } from '../../../db/locks.ts'
import {
  deleteUnused,
  findUnused,
  nextSpaceIds,
  type RetentionLimits,
  trimChanges,
  trimWrites,
} from '../../../db/queries/history-retention.ts'
import { noteMissedChanges } from '../../../db/queries/webhooks.ts'
import { inTransaction } from '../../../db/transaction.ts'

/** Time between two passes, in ms. */
const PASS_EVERY = 10_000
/** Number of spaces that each pass trims in turn, besides the spaces that are due because of writes. */
const SPACES_PER_PASS = 5

/** Maximum number of contents that one step deletes while it holds the lock of the space. */
const STEP = 200

/**
 * A space is due for trimming after this many writes, or this many ms after the first of them. Trimming reads the whole
 * history of a space, so it is not done after each write. Until it is done, changes may be kept longer than the
 * configured number of days, and the history may exceed its size limit by what these writes add.
 */
export const DUE = { writes: 1_000, after: 10 * 60_000 }

/**
 * Deletes the changes of a space that are no longer kept, and the bytes of files and icons that nothing needs anymore.
 *
 * @param now the current time; a parameter so that tests can set it
 * @throws MissingRowError when the space was deleted
 */
export const trimHistory = async (
  database: Database,
  spaceId: string,
  limits: RetentionLimits,
  now = new Date(),
): Promise<void> => {
  await inTransaction(database, async sql =>
    noteMissedChanges(sql, spaceId, await trimChanges(sql, spaceId, limits, now)),
  )
  await inTransaction(database, sql => trimWrites(sql, spaceId, now))
  for (;;) {
    const unused = await findUnused(database, spaceId, STEP)
    if (unused.length === 0) return
    await withMembershipLocked(database, spaceId, sql => deleteUnused(sql, spaceId, unused))
  }
}

/** Trims histories in the background. */
export interface Retention {
  /** Counts a write to a space, so that a later pass trims its history. */
  note: (spaceId: string) => void
  /** Makes a space due, because changes of it were erased: the next pass deletes the bytes that only they used. */
  noteErasure: (spaceId: string) => void
  stop: () => Promise<void>
}

/**
 * Starts trimming histories in the background. Each pass trims the next few spaces in the order of their ids, and the
 * spaces that are due because of writes.
 *
 * @param onError called if a pass fails; the next pass tries again
 */
export const startRetention = (
  database: Database,
  limits: RetentionLimits,
  onError: (error: unknown) => void,
): Retention => {
  const written = new Map<string, { writes: number; since: number }>()
  let cursor = ''
  let isStopped = false

  const note = (spaceId: string, writes: number) => {
    const noted = written.get(spaceId)
    if (noted) noted.writes += writes
    else written.set(spaceId, { writes, since: performance.now() })
  }

  const pass = async () => {
    const turn = await nextSpaceIds(database, cursor, SPACES_PER_PASS)
    cursor = turn.length < SPACES_PER_PASS ? '' : turn.at(-1)!
    const now = performance.now()
    const due = [...written].filter(
      ([, { writes, since }]) => writes >= DUE.writes || now - since >= DUE.after,
    )
    for (const spaceId of new Set([...due.map(([id]) => id), ...turn])) {
      if (isStopped) return
      written.delete(spaceId)
      await trimHistory(database, spaceId, limits).catch((error: unknown) => {
        // The space was deleted in the meantime, and its history with it.
        if (!(error instanceof MissingRowError)) throw error
      })
    }
  }

  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(pass).catch(onError)
  }, PASS_EVERY).unref()

  return {
    note: spaceId => note(spaceId, 1),
    noteErasure: spaceId => note(spaceId, DUE.writes),
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
