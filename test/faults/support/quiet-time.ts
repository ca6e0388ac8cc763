import { readFileSync } from 'node:fs'

/** Returns how long tasks have waited for a processor or a disk since the machine started, in ms. */
const contention = (): number =>
  ['cpu', 'io'].reduce((sum, resource) => sum + stalled(`/proc/pressure/${resource}`), stolen())

/** Returns the total time that tasks were stalled, from a file of Linux's pressure stall information, in ms. */
const stalled = (file: string): number => Number(/^some .*total=(\d+)/m.exec(textOf(file))?.[1] ?? 0) / 1000

/** Returns the time that a virtual machine waited for its host, in ms. Linux counts it in hundredths of a second. */
const stolen = (): number => Number(/^cpu +(?:\d+ ){7}(\d+)/.exec(textOf('/proc/stat'))?.[1] ?? 0) * 10

/** Returns the text of a file, or an empty string if the system does not have the file. */
const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Starts a measurement. The returned function returns the time since the start in ms, minus the time in which any task
 * on the machine waited for a processor or a disk. On an idle machine, tasks hardly wait. On a busy machine, tasks wait
 * most of the time. So the result exceeds a limit only if the service itself is too slow.
 *
 * @param weight how many ms to subtract for each ms in which a task waited
 */
export const measureQuietTime = (weight = 1): (() => number) => {
  const since = performance.now()
  const before = contention()
  return () => Math.max(0, Math.round(performance.now() - since - weight * (contention() - before)))
}
