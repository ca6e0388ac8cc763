import { setImmediate as nextTurn } from 'node:timers/promises'

const REPETITIONS = 5

/** How work is spread over the turns of the event loop. */
export interface Turns {
  /** CPU time of the longest turn, in ms. */
  longest: number
  /** CPU time of the whole work, in ms. */
  total: number
}

const processorTime = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const totalOf = async (work: () => Promise<unknown>) => {
  const start = processorTime()
  await work()
  return processorTime() - start
}

const longestTurnOf = async (work: () => Promise<unknown>) => {
  let longest = 0
  const done = new AbortController()
  const watch = async () => {
    for (let last = processorTime(); !done.signal.aborted; ) {
      await nextTurn()
      const now = processorTime()
      longest = Math.max(longest, now - last)
      last = now
    }
  }
  const watching = watch()
  await work().finally(() => done.abort())
  await watching
  return longest
}

/**
 * Repeats work and measures the turns of the event loop during each run. Counts only the CPU time of this thread, which
 * does not depend on other processes. Returns the smallest figures, because larger ones can include garbage collection.
 * Compare the figures only with others from the same machine.
 */
export const measureTurns = async (work: () => Promise<unknown>): Promise<Turns> => {
  const turns = { longest: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY }
  for (let n = 0; n < REPETITIONS; n++) {
    turns.total = Math.min(turns.total, await totalOf(work))
    turns.longest = Math.min(turns.longest, await longestTurnOf(work))
  }
  return turns
}
