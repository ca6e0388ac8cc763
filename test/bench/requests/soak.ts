import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { memoryAtRest, memoryOf, startOnce } from './starts.ts'

const REQUESTS = 1_000_000
const SECONDS = 10
/** Maximum duration in seconds; a slow machine sends fewer than a million reads. */
const MAX_SECONDS = 240

/** Time in ms after which the JavaScript engine has returned unused memory to the system, even after much work. */
const LONG_REST = 30_000

/**
 * Starts the service as `npm start` does, sends a million reads, or as many as the maximum duration allows, and prints
 * the main process's memory before the reads, right after them, and once the process has been idle for a while.
 */
export const measureSoak = async (bench: Bench): Promise<void> => {
  const [{ ours: requests }] = bench.scenarios as [Bench['scenarios'][number]]
  await startOnce({ DATABASE_URL: bench.url, CALLS_PER_MINUTE: '1000000' }, async (pid, port) => {
    const before = await memoryAtRest(pid)
    let sent = 0
    for (let seconds = 0; sent < REQUESTS && seconds < MAX_SECONDS; seconds += SECONDS) {
      const result = await bench.send({ port, seconds: SECONDS, connections: 16, requests })
      sent += result.requests
    }
    const after = memoryOf(pid)
    await sleep(LONG_REST)
    console.log(
      `Memory of the main process: ${before.main} MB, after ${sent} reads ${after} MB, then at rest ${memoryOf(pid)} MB`,
    )
  })
}
