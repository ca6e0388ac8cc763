import type { CallerCheck } from '../../db/caller-check.ts'
import { withSpaceLocked } from '../../db/locks.ts'
import { MASS_WRITE } from '../../db/refresh-statistics.ts'
import type { Author, Operation, SpaceWrite } from '../../db/space-write.ts'
import type { Core } from '../core/context.ts'

/**
 * Runs a write to a space's content in a transaction that has locked the space and raised its revision, then calls
 * `onWrite`, and `onMassWrite` if the write was large. `work` must use the `SpaceWrite` passed to it, because no other connection belongs to the transaction.
 * `work` may run more than once.
 *
 * @param check checks once more that the author may write
 * @throws MissingRowError when the space was deleted
 */
export const writeSpace = async <T>(
  { orm, onWrite, onMassWrite }: Core,
  spaceId: string,
  author: Author,
  check: CallerCheck,
  work: (write: SpaceWrite) => Promise<T>,
  operation?: Operation,
): Promise<T> => {
  let changes = 0
  const counted = async (write: SpaceWrite) => {
    const result = await work(write)
    changes = write.changedItems
    return result
  }
  // Only operations change many items at once. Other writes are not worth the additional step.
  const result = await withSpaceLocked(orm, spaceId, author, check, operation ? counted : work, operation)
  onWrite(spaceId)
  if (changes >= MASS_WRITE) await onMassWrite()
  return result
}
