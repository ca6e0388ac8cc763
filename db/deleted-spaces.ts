import type { Database } from './database.ts'
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
export const deleteSpace = async (database: Database, spaceId: string, check: CallerCheck): Promise<void> => {
  await inTransaction(database, sql => deleteFromDirectory(sql, spaceId), check)
  await finishDeletion(database, spaceId)
}

/** Deletes the content of spaces whose deletion was interrupted. */
export const finishDeletions = async (database: Database): Promise<void> => {
  for (const id of await listUnfinishedDeletions(database, SLICE)) await finishDeletion(database, id)
}

const finishDeletion = async (database: Database, spaceId: string): Promise<void> => {
  await inTransaction(database, sql => deleteContent(sql, spaceId))
  await forgetDeletion(database, spaceId)
}

/**
 * Returns a function that deletes content whose space is not in the directory. Such content can exist if content
 * is distributed: when a space is created, the content server commits first, and the coordinator can stop before
 * the directory commits. Each call checks some spaces, and the next call continues after them.
 */
export const leftoverCleaner = (database: Database): (() => Promise<void>) => {
  let cursor = ''
  return async () => {
    for (let checked = 0; checked < PER_PASS; checked += SLICE) {
      const ids = await nextContent(database, cursor, new Date(Date.now() - MIN_AGE), SLICE)
      const left = ids.length > 0 ? await missingInDirectory(database, ids) : []
      for (const id of left) await inTransaction(database, transaction => deleteContent(transaction, id))
      cursor = ids.length < SLICE ? '' : ids.at(-1)!
      if (cursor === '') return
    }
  }
}
