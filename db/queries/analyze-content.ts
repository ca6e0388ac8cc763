import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

/**
 * Refreshes the planner's statistics of the content of spaces and of their history. Skips a table that is being
 * refreshed already.
 */
export const analyzeContent = (db: Sql) =>
  sql`analyze (skip_locked) pages, parts, data_records, files, writes, changes`.execute(db)
