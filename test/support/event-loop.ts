import { performance } from 'node:perf_hooks'

/** Runs work and returns the longest time in ms that the event loop was blocked meanwhile. */
export const longestBlock = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let last = performance.now()
  let isDone = false
  const measure = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isDone) setImmediate(measure)
  }
  setImmediate(measure)
  try {
    await work()
  } finally {
    isDone = true
  }
  return longest
}
