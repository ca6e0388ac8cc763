import type { Bench } from './bench.ts'

const REQUESTS = 1_000_000
const SECONDS = 10
/** Time in seconds after which a slow machine stops before the million. */
const MAX_SECONDS = 240

/** Sends a million reads, or as many as fit in the time, and prints the memory of the main process before and after. */
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
