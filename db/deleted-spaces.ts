import { type Orm, sqlOf } from './orm.ts'
import {
  deleteContent,
  deleteFromDirectory,
  forgetDeletion,
  listUnfinishedDeletions,
  missingInDirectory,
  nextContent,
} from './queries/spaces.ts'
import { type CallerCheck, inTransaction } from './transaction.ts'

/** Number of spaces that one query reads. */
const SLICE = 1_000

/** Maximum number of spaces that one pass checks. */
const PER_PASS = 10_000

/** Minimum age in ms of content to delete. Younger content can belong to a space that is being created. */
const MIN_AGE = 60 * 60_000

/**
 * Deletes a space with everything in it. The content of the space and its rows in the directory can be on different
 * servers, so two transactions delete them. The rows in the directory are deleted first: if the service stops between
 * the two transactions, nobody can find the remaining content, and `finishDeletions` deletes it.
 */
export const deleteSpace = async (orm: Orm, spaceId: string, check: CallerCheck): Promise<void> => {
  await inTransaction(orm, sql => deleteFromDirectory(sql, spaceId), check)
  await finishDeletion(orm, spaceId)
}

/** Deletes the content of spaces whose deletion was interrupted. */
export const finishDeletions = async (orm: Orm): Promise<void> => {
  for (const id of await listUnfinishedDeletions(sqlOf(orm), SLICE)) await finishDeletion(orm, id)
}

const finishDeletion = async (orm: Orm, spaceId: string): Promise<void> => {
  await inTransaction(orm, sql => deleteContent(sql, spaceId))
  await forgetDeletion(sqlOf(orm), spaceId)
}

/**
 * Returns a function that deletes content whose space is not in the directory. Such content can exist if content
 * is distributed: when a space is created, the content server commits first, and the coordinator can stop before
 * the directory commits. Each call checks some spaces, and the next call continues after them.
 */
export const leftoverCleaner = (orm: Orm): (() => Promise<void>) => {
  const sql = sqlOf(orm)
  let cursor = ''
  return async () => {
    for (let checked = 0; checked < PER_PASS; checked += SLICE) {
      const ids = await nextContent(sql, cursor, new Date(Date.now() - MIN_AGE), SLICE)
      const left = ids.length > 0 ? await missingInDirectory(sql, ids) : []
      for (const id of left) await inTransaction(orm, transaction => deleteContent(transaction, id))
      cursor = ids.length < SLICE ? '' : ids.at(-1)!
      if (cursor === '') return
    }
  }
}
