import type { Bench } from './bench.ts'

const REQUESTS = 1_000_000
const SECONDS = 10
/** Maximum duration in seconds; a slow machine sends fewer than a million reads. */
const MAX_SECONDS = 240

/**
 * Sends a million reads, or as many as the maximum duration allows, and prints the main process's memory before and
 * after.
 */
export const measureSoak = async (bench: Bench): Promise<void> => {
  const before = await bench.memory()
  const [{ ours: requests }] = bench.scenarios as [Bench['scenarios'][number]]
  let sent = 0
  for (let seconds = 0; sent < REQUESTS && seconds < MAX_SECONDS; seconds += SECONDS) {
    const result = await bench.send({ port: bench.ours.port, seconds: SECONDS, connections: 16, requests })
    sent += result.requests
  }
  console.log(`Memory of the main process: ${before} MB, after ${sent} reads ${await bench.memory()} MB`)
}
