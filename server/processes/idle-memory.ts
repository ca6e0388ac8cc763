import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds between two checks. */
const INTERVAL = 4_000

/** A process that is busy for less than this share of the time counts as idle. */
const IDLE = 0.2

/** Garbage is collected only if memory has grown by this many bytes since the last collection. */
const GROWTH = 48 * 1_048_576

/**
 * Collects garbage when the process becomes idle after it has used much memory. By default the engine collects garbage
 * only when it needs more memory, so the garbage of a burst of requests would stay in memory.
 *
 * @returns a function that ends the checks
 */
export const releaseIdleMemory = (): (() => void) => {
  const collect = collector()
  let busy = performance.eventLoopUtilization()
  // Loading the program has left garbage. Start at 0, so that this garbage is collected without waiting until memory
  // grows further.
  let sizeAfter = 0
  const timer = setInterval(() => {
    const since = performance.eventLoopUtilization(busy)
    busy = performance.eventLoopUtilization()
    sizeAfter = Math.min(sizeAfter, size())
    if (since.utilization > IDLE || size() - sizeAfter < GROWTH) return
    collect(sizeAfter === 0 ? 'last-resort' : 'regular')
    sizeAfter = size()
  }, INTERVAL).unref()
  return () => clearInterval(timer)
}

/** Returns the size of the memory that garbage collection can shrink, in bytes. */
const size = (): number => {
  const { heapTotal, external } = process.memoryUsage()
  return heapTotal + external
}

/**
 * Returns V8's function that collects garbage, without exposing it to the rest of the process. `last-resort` also
 * shrinks the space for new objects, and takes twice as long (60 ms shortly after startup).
 */
const collector = (): ((flavor: 'regular' | 'last-resort') => void) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  return flavor => {
    collect({ type: 'major', execution: 'sync', flavor })
  }
}
