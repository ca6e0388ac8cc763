/**
 * `node test/bench/starved.ts [seconds]`: opens slow but legitimate pages with 20 concurrent readers while two busy
 * loops compete for the CPU. Each printed line ends with the number of errors, which must be 0.
 */
import os from 'node:os'
import type { RenderRequest } from '../../routers/api/renderer.ts'
import { startRenderer } from '../../routers/rendering/renderer.ts'
import { startBusyLoops } from '../liquid/busy-loops.ts'
import { costlyPages } from '../liquid/costly-pages.ts'
import { childrenOf, threadTimeOf } from '../liquid/process-info.ts'
import { requestFor } from '../liquid/site.ts'

const SECONDS = Number(process.argv[2] ?? 20)
const READERS = 20
const BUSY_LOOPS = 2
const PROCESSES = 2

/** The duration of each load in ms, and the errors of failed loads. */
interface Result {
  times: number[]
  errors: string[]
}

const renderer = startRenderer({ processes: PROCESSES, cachedBytes: 1 })

const load = async (request: RenderRequest, { times, errors }: Result) => {
  const started = performance.now()
  try {
    const outcome = await renderer.render(request)
    if (!outcome.ok) errors.push(outcome.error.kind)
  } catch (error) {
    errors.push(error instanceof Error ? error.name : String(error))
  }
  times.push(performance.now() - started)
}

const read = async (html: (number: number) => string): Promise<Result> => {
  const result: Result = { times: [], errors: [] }
  const until = performance.now() + SECONDS * 1000
  const reader = async (_: unknown, number: number) => {
    const request = requestFor(html(number))
    while (performance.now() < until) await load(request, result)
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  return result
}

/** Returns the CPU time of rendering a page once in a warm worker, in ms. */
const costOf = async (html: string): Promise<number> => {
  const total = () => childrenOf(process.pid).reduce((sum, pid) => sum + threadTimeOf(pid), 0)
  for (let round = 0; round < 4; round += 1) await renderer.render(requestFor(`${html} ${round}`))
  const before = total()
  await renderer.render(requestFor(html))
  return total() - before
}

await renderer.render(requestFor('up'))
console.log(
  `${os.cpus().length} cores, ${BUSY_LOOPS} busy loops, ${READERS} readers, ${PROCESSES} renderer processes`,
)
for (const { name, html } of costlyPages()) {
  const cost = await costOf(html(0))
  const stop = await startBusyLoops(BUSY_LOOPS)
  const { times, errors } = await read(html)
  stop()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    `${sorted[Math.min(times.length - 1, Math.floor(times.length * share))]?.toFixed(0)} ms`
  console.log(
    `${name} (${cost.toFixed(0)} ms of processor time): ${times.length} loads, median ${at(0.5)}, slowest ${at(1)}, ${errors.length} errors ${[...new Set(errors)].join(' ')}`,
  )
}
await renderer.stop()
