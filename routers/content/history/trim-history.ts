import { withMembershipLocked } from '../../../db/locks.ts'
import { type Orm, sqlOf } from '../../../db/orm.ts'
import type { ChangePlace } from '../../../db/queries/history.ts'
import {
  deleteChanges,
  deletedSize,
  deleteUnused,
  findUnused,
  growthSince,
  historySize,
  type KeptRules,
  lastPlace,
  type SizedChange,
} from '../../../db/queries/history-retention.ts'
import { excessChanges, type Mark, newMark, START } from './excess.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** How much of the history of a space is kept. */
export interface RetentionLimits {
  days: number
  /** Number of versions of each item that are kept even if they are older than `days`. */
  versions: number
  /**
   * Maximum size of a space's history, in bytes. If the history is larger, its oldest changes are deleted even
   * if they are newer than `days`. The last versions of deleted items are kept until they alone exceed this
   * size.
   */
  bytes: number
}

/** Number of versions of each item that are kept regardless of age and of the size of the history. */
const ALWAYS_KEPT = 5

/** Maximum number of changes or bodies that one step handles while it holds the lock of the space. */
const STEP = 200

/**
 * A whole history is read to measure it, or to find bodies that no change refers to. This is the minimum time
 * between two such reads, in ms, if little was written or deleted.
 */
const READ_EVERY = 10 * MINUTE

/**
 * A fraction of the size limit. A history that is too large is trimmed until it is below the limit by this much. A
 * history that may be too large is measured again after it has grown by this much.
 */
const SLACK = 1 / 100

/** What is known about the history of a space, so that trimming it again takes less time. */
export interface Marks {
  /** How far the history was searched for changes that are too old. */
  old: Mark
  /**
   * Marks of the two searches that run while the history is too large. `replaced`: the mark of the first search,
   * for changes that newer versions have replaced. `deleted`: the mark of the second search, for all changes of
   * deleted items.
   */
  large: { replaced: Mark; deleted: Mark }
  size: Size | undefined
  /** When the changes of deleted items were last measured, and the value of `size.growth` at that time. */
  deletedItems: { time: Date; growth: number } | undefined
  /** Number of changes that were deleted since `cleaned`. */
  deleted: number
  /** When the service last deleted the bodies that no change refers to. */
  cleaned: Date | undefined
}

/**
 * The last measurement of a history. At `time`, the history had a size of `bytes`. Since `time`, the history has
 * grown by at most `growth` bytes. `at` is the place of the last change that these numbers include.
 */
interface Size {
  bytes: number
  time: Date
  growth: number
  at: ChangePlace
}

/** Returns empty marks: nothing is known about the history of the space yet. */
export const newMarks = (): Marks => ({
  old: newMark(),
  large: { replaced: newMark(), deleted: newMark() },
  size: undefined,
  deletedItems: undefined,
  deleted: 0,
  cleaned: undefined,
})

/**
 * Deletes the changes of a space that are no longer kept, in small steps that each hold the lock of the space briefly.
 *
 * @param marks from earlier calls with the same limits. The call changes them; discard them after an error.
 * @param now the current time; a parameter so that tests can set it
 */
export const trimHistory = async (
  orm: Orm,
  spaceId: string,
  limits: RetentionLimits,
  marks = newMarks(),
  now = new Date(),
): Promise<void> => {
  await trimOld(orm, spaceId, limits, marks, now)
  await trimLarge(orm, spaceId, limits.bytes, marks, now)
}

/** Deletes changes, a few at a time. @returns how many were deleted */
const deleteInSteps = async (
  orm: Orm,
  spaceId: string,
  places: readonly ChangePlace[],
  rules: KeptRules,
): Promise<number> => {
  let count = 0
  for (let start = 0; start < places.length; start += STEP) {
    const step = places.slice(start, start + STEP)
    count += await withMembershipLocked(orm, spaceId, sql => deleteChanges(sql, spaceId, step, rules))
  }
  return count
}

/** Deletes changes that are too old. */
const trimOld = async (
  orm: Orm,
  spaceId: string,
  { days, versions }: RetentionLimits,
  marks: Marks,
  now: Date,
): Promise<void> => {
  const cutoff = new Date(now.getTime() - days * DAY)
  const rules = { versions, deletedBefore: null }
  for await (const places of excessChanges(sqlOf(orm), spaceId, marks.old, rules, cutoff))
    marks.deleted += await deleteInSteps(orm, spaceId, places, rules)
  const isDue = marks.deleted >= STEP || (marks.deleted > 0 && isLongAgo(marks.cleaned, now))
  // A process that stopped earlier may have left unused bodies, so the first call always deletes them.
  if (isDue || !marks.cleaned) await deleteAllUnused(orm, spaceId, marks, now)
}

const isLongAgo = (time: Date | undefined, now: Date): boolean =>
  !time || now.getTime() - time.getTime() >= READ_EVERY

/** Deletes the oldest changes while the history is too large. */
const trimLarge = async (
  orm: Orm,
  spaceId: string,
  limit: number,
  marks: Marks,
  now: Date,
): Promise<void> => {
  marks.size = await sizeNow(orm, spaceId, marks.size, now)
  const { bytes, growth, time } = marks.size
  if (bytes + growth <= limit) return
  // The code below searches for changes that can be deleted. The search is due if the history was just measured, has
  // grown enough since the measurement, or was measured long ago. If the search is not due, an earlier call has deleted
  // all that it could, or the history is hardly above the limit.
  const isDue = time === now || growth >= limit * SLACK || isLongAgo(time, now)
  if (!isDue) return
  const { replaced, deleted } = marks.large
  const rules = { versions: ALWAYS_KEPT, deletedBefore: null }
  const measureAll = async () => {
    marks.size = await measure(orm, spaceId, now)
    return marks.size.bytes
  }
  if (await isTrimmedTo(orm, spaceId, limit, marks, replaced, rules, measureAll, now)) return
  // The history is still too large, although each item has only its newest versions left. The number of existing items
  // is limited, but the number of deleted items is not. So if the versions of deleted items alone exceed the limit,
  // delete the oldest of these versions.
  if (!isMeasuringDeletedDue(marks, limit, now)) return
  marks.deletedItems = { time: now, growth: marks.size.growth }
  const measureDeleted = () => deletedSize(sqlOf(orm), spaceId)
  await isTrimmedTo(
    orm,
    spaceId,
    limit,
    marks,
    deleted,
    { ...rules, deletedBefore: now },
    measureDeleted,
    now,
  )
}

/** Whether the changes of deleted items can have grown much since they were measured, or were measured long ago. */
const isMeasuringDeletedDue = ({ size, deletedItems }: Marks, limit: number, now: Date): boolean => {
  if (!deletedItems || isLongAgo(deletedItems.time, now)) return true
  const growth = size!.growth - deletedItems.growth
  // `size.growth` restarts at 0 when the whole history is measured again, so the difference can be negative.
  return growth < 0 || growth >= limit * SLACK
}

/**
 * While a size is above the limit, deletes the oldest of the changes that the rules allow to be deleted.
 *
 * @param size returns the size, in bytes
 * @returns whether the size is now within the limit
 */
const isTrimmedTo = async (
  orm: Orm,
  spaceId: string,
  limit: number,
  marks: Marks,
  mark: Mark,
  rules: KeptRules,
  size: () => Promise<number>,
  now: Date,
): Promise<boolean> => {
  for (let isAnyDeleted = true; isAnyDeleted; ) {
    isAnyDeleted = false
    let excess: number | undefined
    for await (const places of excessChanges(sqlOf(orm), spaceId, mark, rules, null)) {
      if (places.length === 0) continue
      if (excess === undefined) {
        const bytes = await size()
        if (bytes <= limit) return true
        excess = bytes - limit * (1 - SLACK)
      }
      const oldest = upTo(places, excess)
      const count = await deleteInSteps(orm, spaceId, oldest, rules)
      marks.deleted += count
      if (count > 0) isAnyDeleted = true
      // A body that another change shares is not freed, so less may be freed than this sum. The outer loop therefore
      // measures the size again.
      for (const { size } of oldest) excess -= size
      if (excess <= 0) break
    }
    if (isAnyDeleted) await deleteAllUnused(orm, spaceId, marks, now)
  }
  return false
}

const measure = async (orm: Orm, spaceId: string, time: Date): Promise<Size> => {
  const at = (await lastPlace(sqlOf(orm), spaceId)) ?? START
  return { bytes: await historySize(sqlOf(orm), spaceId), time, growth: 0, at }
}

/**
 * Measures a history on the first call. Later calls do not measure it again; they add the maximum growth since
 * the previous call.
 */
const sizeNow = async (orm: Orm, spaceId: string, size: Size | undefined, now: Date): Promise<Size> => {
  if (!size) return measure(orm, spaceId, now)
  const at = (await lastPlace(sqlOf(orm), spaceId)) ?? START
  return { ...size, growth: size.growth + (await growthSince(sqlOf(orm), spaceId, size.at)), at }
}

/** Returns the first changes, as many as are needed to reach a total size of `bytes`; all if they do not reach it. */
const upTo = (changes: readonly SizedChange[], bytes: number): readonly SizedChange[] => {
  let sum = 0
  const end = changes.findIndex(({ size }) => {
    sum += size
    return sum >= bytes
  })
  return end === -1 ? changes : changes.slice(0, end + 1)
}

/** Deletes bodies and bytes that no change refers to anymore. */
const deleteAllUnused = async (orm: Orm, spaceId: string, marks: Marks, now: Date): Promise<void> => {
  marks.deleted = 0
  marks.cleaned = now
  for (;;) {
    const unused = await findUnused(sqlOf(orm), spaceId, STEP)
    if (!unused || unused.bodies.length + unused.blobs.length === 0) return
    await withMembershipLocked(orm, spaceId, sql => deleteUnused(sql, spaceId, unused))
  }
}
