import { type Orm, sqlOf } from '../../../db/orm.ts'
import { deleteOldDrafts, deleteOrphanedDrafts } from '../../../db/queries/drafts.ts'
import { limits } from '../../core/rules.ts'

const DAY = 24 * 60 * 60_000

/** Maximum number of drafts that one statement checks or deletes. */
const STEP = 200

/**
 * Deletes drafts that have not been changed for a long time, and drafts of deleted items that the history can no longer
 * restore.
 *
 * @param now the current time; a parameter so that tests can move it
 */
export const trimDrafts = async (orm: Orm, now = new Date()): Promise<void> => {
  const sql = sqlOf(orm)
  const before = new Date(now.getTime() - limits.draftDays * DAY)
  while ((await deleteOldDrafts(sql, before, STEP)) === STEP);
  for (let after: string | undefined = ''; after !== undefined; )
    after = await deleteOrphanedDrafts(sql, after, STEP)
}
