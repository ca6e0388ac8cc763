import { setImmediate as nextTurn } from 'node:timers/promises'

const REPETITIONS = 5

/** How work is spread over the turns of the event loop. */
export interface Turns {
  /** CPU time of the longest turn, in ms. */
  longest: number
  /** CPU time of the whole work, in ms. */
  total: number
}

const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000

/**
 * Starts a stopwatch for the CPU time of this thread. Call the returned function to read the stopwatch, in ms.
 *
 * Some systems count the CPU time of a thread only in steps of 4 ms. The CPU time of the process is exact, but includes
 * other threads, such as those that collect garbage. The stopwatch shows the smaller of the two times.
 */
const stopwatch = () => {
  const [thread, whole] = [process.threadCpuUsage(), process.cpuUsage()]
  return () => Math.min(milliseconds(process.threadCpuUsage(thread)), milliseconds(process.cpuUsage(whole)))
}

const totalOf = async (work: () => Promise<unknown>) => {
  const elapsed = stopwatch()
  await work()
  return elapsed()
}

const longestTurnOf = async (work: () => Promise<unknown>) => {
  let longest = 0
  const done = new AbortController()
  const watch = async () => {
    while (!done.signal.aborted) {
      const elapsed = stopwatch()
      await nextTurn()
      longest = Math.max(longest, elapsed())
    }
  }
  const watching = watch()
  await work().finally(() => done.abort())
  await watching
  return longest
}

/**
 * Runs `work` several times and measures the turns of the event loop during each run. Counts only the CPU time of this
 * thread, which does not depend on other processes. Returns the smallest figures, because larger ones can include
 * garbage collection. Compare the figures only with others from the same machine.
 */
export const measureTurns = async (work: () => Promise<unknown>): Promise<Turns> => {
  const turns = { longest: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY }
  for (let n = 0; n < REPETITIONS; n++) {
    turns.total = Math.min(turns.total, await totalOf(work))
    turns.longest = Math.min(turns.longest, await longestTurnOf(work))
  }
  return turns
}
