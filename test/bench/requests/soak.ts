import type { Bench } from './bench.ts'

const REQUESTS = 1_000_000
const SECONDS = 10

/** Sends a million reads and prints the memory of the main process before and after. */
export const measureSoak = async (bench: Bench): Promise<void> => {
  const before = await bench.memory()
  const [{ ours: requests }] = bench.scenarios as [Bench['scenarios'][number]]
  for (let sent = 0; sent < REQUESTS; ) {
    const result = await bench.send({ port: bench.ours.port, seconds: SECONDS, connections: 16, requests })
    sent += result.requests
  }
  console.log(`Memory of the main process: ${before} MB, after a million requests ${await bench.memory()} MB`)
}
