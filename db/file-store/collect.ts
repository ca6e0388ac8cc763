import type { Database } from '../database.ts'
import { expireObjects, forgetObjects, listObjectsToDelete } from '../queries/objects.ts'
import type { FileStore } from './file-store.ts'

const DAY = 24 * 60 * 60_000

/**
 * Time in ms after which a staged object counts as left behind by a process that was killed. Much longer than any write
 * takes.
 */
const STAGED = DAY

/** Maximum total size in bytes of a space's freed objects. Above it, the oldest of these objects are deleted early. */
const FREED = 1_073_741_824

/** Number of objects that one query lists, and number of objects that are deleted at the same time. */
const LIST = 1_000
const AT_ONCE = 20

/**
 * Deletes the objects that nothing needs anymore. Several processes can do this at the same time.
 *
 * @param keepDays how long objects are kept after their last use, so that an earlier backup can be restored
 * @param now the current time; a parameter so that tests can set it
 * @returns the number of deleted objects
 * @throws FileStoreError if the store does not respond; the next call tries again
 */
export const collectObjects = async (
  database: Database,
  store: FileStore,
  keepDays: number,
  now = new Date(),
): Promise<number> => {
  const before = (age: number) => new Date(now.getTime() - age)
  await expireObjects(database, { staged: before(STAGED), freed: before(keepDays * DAY) }, FREED)
  for (let count = 0; ; ) {
    const list = await listObjectsToDelete(database, LIST)
    if (list.length === 0) return count
    for (let from = 0; from < list.length; from += AT_ONCE) {
      const objects = list.slice(from, from + AT_ONCE)
      const results = await Promise.allSettled(objects.map(object => store.delete(object)))
      const isDeleted = (index: number) => results[index]!.status === 'fulfilled'
      await forgetObjects(
        database,
        objects.filter((_, index) => isDeleted(index)),
      )
      const failed = results.find(result => result.status === 'rejected')
      if (failed) throw failed.reason
    }
    count += list.length
  }
}
