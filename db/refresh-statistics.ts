import { sql } from 'kysely'
import type { Database, Sql } from './database.ts'

/** A write that changes at least this many items is a mass write. */
export const MASS_WRITE = 500

/**
 * Returns a function that refreshes the planner's statistics after a mass write, such as an import of thousands of
 * pages. Otherwise PostgreSQL plans for the number of rows before the write, and an undo of the import takes many times
 * as long. PostgreSQL's own refresh follows only a minute later. Refreshes run one at a time; calls that wait share one.
 *
 * @param onError called if a refresh fails; the returned function never rejects
 */
export const statisticsRefresher = (
  database: Database,
  onError: (error: unknown) => void,
): (() => Promise<void>) => {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  const refresh = async (): Promise<void> => {
    try {
      await analyzeContent(database)
    } catch (error) {
      onError(error)
    } finally {
      running = undefined
    }
  }
  const start = (): Promise<void> => (running = refresh())
  return () => {
    if (!running) return start()
    next ??= running.then(() => {
      next = undefined
      return start()
    })
    return next
  }
}

/**
 * Refreshes the planner's statistics of the content of spaces and of their history. Skips a table that is being
 * refreshed already.
 */
export const analyzeContent = (db: Sql) =>
  sql`analyze (skip_locked) pages, parts, data_records, files, writes, changes`.execute(db)
