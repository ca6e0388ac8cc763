import { MissingRowError, withMembershipLocked } from '../../../db/locks.ts'
import { type Orm, sqlOf } from '../../../db/orm.ts'
import type { ChangePlace } from '../../../db/queries/history.ts'
import {
  deleteChanges,
  deleteUnused,
  findUnused,
  historySize,
  nextChanges,
  nextSpaceIds,
  type SizedChange,
} from '../../../db/queries/history-retention.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** How long the history of a space is kept. */
export interface RetentionLimits {
  days: number
  /** Number of versions of each item that are kept even after these days. */
  versions: number
  /** Bytes of a space's history above which the oldest changes are deleted earlier. */
  bytes: number
}

/** Number of versions of each existing item that are kept regardless of age and size. */
const ALWAYS_KEPT = 5

/** Maximum number of changes or bodies that one step handles while it holds the lock of the space. */
const STEP = 200

/**
 * Time between two passes in ms, and the number of spaces that each pass trims in addition to those written to
 * since the previous pass.
 */
const PASS_EVERY = 10_000
const SPACES_PER_PASS = 5

const START: ChangePlace = { revision: '0', position: 0 }

/**
 * Deletes the changes of a space that are no longer kept, in small steps that each hold the lock of the space briefly.
 *
 * @param now the current time; a parameter so that tests can set it
 */
export const trimHistory = async (
  orm: Orm,
  spaceId: string,
  limits: RetentionLimits,
  now = new Date(),
): Promise<void> => {
  if (await trimOld(orm, spaceId, limits, now)) await deleteAllUnused(orm, spaceId)
  await trimLarge(orm, spaceId, limits.bytes, now)
}

type KeptRules = Parameters<typeof deleteChanges>[3]

const deleteStep = (orm: Orm, spaceId: string, places: readonly ChangePlace[], rules: KeptRules) =>
  withMembershipLocked(orm, spaceId, sql => deleteChanges(sql, spaceId, places, rules))

/** Deletes changes that are too old. @returns whether there were any */
const trimOld = async (
  orm: Orm,
  spaceId: string,
  { days, versions }: RetentionLimits,
  now: Date,
): Promise<boolean> => {
  const cutoff = new Date(now.getTime() - days * DAY)
  let isAnyDeleted = false
  for (let after = START; ; ) {
    const batch = await nextChanges(sqlOf(orm), spaceId, after, STEP)
    // Stop at the first recent change: an item's changes must be deleted in order. Changes after it can have earlier
    // times only if a clock was set back.
    const end = batch.findIndex(({ at }) => at >= cutoff)
    const places = end === -1 ? batch : batch.slice(0, end)
    if (places.length === 0) return isAnyDeleted
    const count = await deleteStep(orm, spaceId, places, { versions, deletedBefore: cutoff })
    isAnyDeleted ||= count > 0
    after = places.at(-1)!
  }
}

/** Deletes the oldest changes while the history is too large. */
const trimLarge = async (orm: Orm, spaceId: string, limit: number, now: Date): Promise<void> => {
  for (let after = START; ; ) {
    const excess = (await historySize(sqlOf(orm), spaceId)) - limit
    if (excess <= 0) return
    const places = upTo(await nextChanges(sqlOf(orm), spaceId, after, STEP), excess)
    if (places.length === 0) return
    const rules = { versions: ALWAYS_KEPT, deletedBefore: now }
    if ((await deleteStep(orm, spaceId, places, rules)) > 0) await deleteAllUnused(orm, spaceId)
    after = places.at(-1)!
  }
}

/** Returns the first changes whose sizes add up to at least `bytes`, or all changes. */
const upTo = (changes: readonly SizedChange[], bytes: number): readonly SizedChange[] => {
  let sum = 0
  const end = changes.findIndex(({ size }) => {
    sum += size
    return sum >= bytes
  })
  return end === -1 ? changes : changes.slice(0, end + 1)
}

/** Deletes bodies and bytes that no change refers to anymore. */
const deleteAllUnused = async (orm: Orm, spaceId: string): Promise<void> => {
  for (;;) {
    const unused = await findUnused(sqlOf(orm), spaceId, STEP)
    if (!unused || unused.bodies.length + unused.blobs.length === 0) return
    await withMembershipLocked(orm, spaceId, sql => deleteUnused(sql, spaceId, unused))
  }
}

/** Trims histories in the background. */
export interface Retention {
  /** Records a write to a space, so that the next pass trims its history. */
  note: (spaceId: string) => void
  stop: () => Promise<void>
}

/**
 * Starts trimming histories in the background. Each pass trims some spaces in turn, and the spaces that were written to
 * since the previous pass.
 *
 * @param onError called if a pass fails; the next pass tries again
 */
export const startRetention = (
  orm: Orm,
  limits: RetentionLimits,
  onError: (error: unknown) => void,
): Retention => {
  const written = new Set<string>()
  let cursor = ''
  let isStopped = false

  const pass = async () => {
    const turn = await nextSpaceIds(sqlOf(orm), cursor, SPACES_PER_PASS)
    cursor = turn.length < SPACES_PER_PASS ? '' : turn.at(-1)!
    const due = new Set([...written, ...turn])
    written.clear()
    for (const spaceId of due) {
      if (isStopped) return
      await trimHistory(orm, spaceId, limits).catch((error: unknown) => {
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
    note: spaceId => void written.add(spaceId),
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
