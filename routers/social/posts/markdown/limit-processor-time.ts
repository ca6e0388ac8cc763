import type { Worker } from 'node:worker_threads'

/**
 * Calls `onExceeded` once a thread has used too much processor time. Time in which the thread waits for a processor
 * does not count. On a busy machine, this waiting time could exceed any limit. Node.js before 24.6 cannot report the
 * processor time of a thread. With these versions, all time since the start of the limit counts.
 *
 * @param before the processor time that the thread had used when the limit started
 * @param limit in ms
 * @returns a function that ends the limit (idempotent)
 */
export const limitProcessorTime = (
  thread: Worker,
  before: NodeJS.CpuUsage,
  limit: number,
  onExceeded: () => void,
): (() => void) => {
  let isEnded = false
  const remaining = async () => {
    if (!('cpuUsage' in thread)) return 0
    const { user, system } = await thread.cpuUsage(before)
    return limit - (user + system) / 1_000
  }
  const check = async () => {
    // Fails if the thread has died. Then its task has failed too.
    const left = await remaining().catch(() => 0)
    if (isEnded) return
    if (left > 0) timer = setTimeout(() => void check(), left)
    else onExceeded()
  }
  let timer = setTimeout(() => void check(), limit)
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}
