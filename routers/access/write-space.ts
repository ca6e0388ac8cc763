import type { CallerCheck } from '../../db/caller-check.ts'
import { withSpaceLocked } from '../../db/locks.ts'
import { MASS_WRITE } from '../../db/refresh-statistics.ts'
import type { Author, Operation, SpaceWrite } from '../../db/space-write.ts'
import type { Context } from '../core/context.ts'

/**
 * Runs a write to a space's content in a transaction that has locked the space and raised its revision, then calls
 * `onWrite`, and `onMassWrite` if the write was large. `work` must use the `SpaceWrite` passed to it, because no other
 * connection belongs to the transaction. `work` may run more than once.
 *
 * @param check checks once more that the author may write
 * @throws MissingRowError when the space was deleted
 */
export const writeSpace = async <T>(
  { core: { orm, onWrite, onMassWrite }, onWritten }: Pick<Context, 'core' | 'onWritten'>,
  spaceId: string,
  author: Author,
  check: CallerCheck,
  work: (write: SpaceWrite) => Promise<T>,
  operation?: Operation,
): Promise<T> => {
  let latest: SpaceWrite | undefined
  const noted = (write: SpaceWrite) => {
    latest = write
    return work(write)
  }
  const result = await withSpaceLocked(orm, spaceId, author, check, noted, operation)
  onWrite(spaceId)
  if (onWritten) onWritten((await latest!.revision)!)
  if (latest!.changedItems >= MASS_WRITE) await onMassWrite()
  return result
}
