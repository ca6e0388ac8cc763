import { withSpaceLocked } from '../../db/locks.ts'
import type { Author, Operation, SpaceWrite } from '../../db/space-write.ts'
import type { Core } from '../core/context.ts'

/**
 * Runs a write to a space's content in a transaction that has locked the space and raised its revision, then calls
 * `onWrite`. `work` must use the `SpaceWrite` passed to it, because no other connection belongs to the transaction.
 * `work` may run more than once.
 *
 * @throws MissingRowError when the space was deleted
 */
export const writeSpace = async <T>(
  { orm, onWrite }: Core,
  spaceId: string,
  author: Author,
  work: (write: SpaceWrite) => Promise<T>,
  operation?: Operation,
): Promise<T> => {
  const result = await withSpaceLocked(orm, spaceId, author, work, operation)
  onWrite(spaceId)
  return result
}
