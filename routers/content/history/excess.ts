import type { Sql } from '../../../db/orm.ts'
import type { ChangePlace } from '../../../db/queries/history.ts'
import {
  changesAfter,
  excessChangesOf,
  type KeptRules,
  lastPlace,
  nextChanges,
  type SizedChange,
} from '../../../db/queries/history-retention.ts'

/** Maximum number of changes that one query reads. */
const BATCH = 200

/** How far the history of a space was searched for changes to delete. The next search continues from there. */
export interface Mark {
  /**
   * The search has checked all changes up to this one. Some of them were deleted. Each of the others is kept at least
   * until its item changes again.
   */
  after: ChangePlace
  /** The last change that the search has taken into account. */
  seen: ChangePlace
  /** The time of the first change that was too recent to delete. */
  next: Date | undefined
}

/** A place before all changes. */
export const START: ChangePlace = { revision: '0', position: -1 }

/** The mark of a history that has not been searched yet. */
export const newMark = (): Mark => ({ after: START, seen: START, next: undefined })

/**
 * Finds the changes that are no longer kept, in batches. First checks the older changes of the items that have changed
 * since the last search. Then continues where the last search stopped. In each batch, the oldest change comes first.
 *
 * @param mark where the last search stopped. When the caller requests the next batch, the function moves the mark past
 * the previous batch.
 * @param before if not null, only changes from before this time are found
 */
export async function* excessChanges(
  db: Sql,
  spaceId: string,
  mark: Mark,
  rules: KeptRules,
  before: Date | null,
): AsyncGenerator<SizedChange[]> {
  // In the last search, all changes were too recent to delete. They still are.
  if (mark.after === START && before && mark.next && mark.next >= before) return
  if (mark.after === START) mark.seen = (await lastPlace(db, spaceId)) ?? START
  else
    for (;;) {
      const written = await changesAfter(db, spaceId, mark.seen, BATCH)
      if (written.length === 0) break
      yield await excessChangesOf(db, spaceId, written, mark.after, rules)
      mark.seen = placeOf(written.at(-1)!)
    }
  for (;;) {
    const batch = await nextChanges(db, spaceId, { after: mark.after, before, limit: BATCH }, rules)
    // Stop at the first change that is too recent, because an item's changes must be deleted in order. A later change
    // can be old enough only if a clock was set back.
    const end = batch.findIndex(({ isDue }) => !isDue)
    const due = end === -1 ? batch : batch.slice(0, end)
    mark.next = batch[end]?.at
    if (due.length === 0) return
    // If an item was deleted long enough ago, its remaining changes are deleted too.
    const deletions = due.filter(({ isDeletion }) => isDeletion)
    const earlier =
      deletions.length === 0 ? [] : await excessChangesOf(db, spaceId, deletions, mark.after, rules)
    yield [...earlier, ...due.filter(({ isExcess }) => isExcess)]
    mark.after = placeOf(due.at(-1)!)
  }
}

const placeOf = ({ revision, position }: ChangePlace): ChangePlace => ({ revision, position })
