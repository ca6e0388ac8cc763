import { type Orm, sqlOf } from './orm.ts'
import { analyzeContent } from './queries/analyze-content.ts'

/** A write that adds at least this many changes at once is a mass write. */
export const MASS_WRITE = 500

/** Minimum time between the ends of two refreshes, in ms. */
const PAUSE = 30_000

/**
 * Refreshes the planner's statistics after a mass write, such as an import of thousands of pages. Otherwise PostgreSQL
 * plans for the number of rows before the write, and an undo of the import takes many times as long. PostgreSQL's own
 * refresh follows only a minute later.
 */
export interface StatisticsRefresher {
  /** Records a mass write. Refreshes the statistics at once, unless that has just happened. */
  note: () => void
  /** Waits for the current refresh; starts no further one. */
  stop: () => Promise<unknown>
}

/** @param onError called if a refresh fails */
export const statisticsRefresher = (orm: Orm, onError: (error: unknown) => void): StatisticsRefresher => {
  let running: Promise<unknown> | undefined
  let isDue = false
  let timer: NodeJS.Timeout | undefined

  const start = () => {
    isDue = false
    running = analyzeContent(sqlOf(orm))
      .catch(onError)
      .then(() => {
        timer = setTimeout(() => {
          running = undefined
          if (isDue) start()
        }, PAUSE).unref()
      })
  }
  return {
    note: () => {
      if (running) isDue = true
      else start()
    },
    stop: async () => {
      await running
      clearTimeout(timer)
    },
  }
}
