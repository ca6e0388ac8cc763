/**
 * `node test/bench/crowds.ts [seconds]`: measures how long it takes to open pages in two situations.
 *
 * - Many different pages are opened at once while two busy loops run. The renderer is cold in the first run and warm in
 *   the second. Goal: 4 s for the slowest page.
 * - Ordinary pages are opened while three hostile pages of the same space are requested. There are four runs: with
 *   pages that have been opened before or with new pages, and with or without the busy loops. Goal: 300 ms for the
 *   99th percentile of the ordinary pages.
 *
 * Each printed line ends with the number of errors, which must be 0.
 */
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Renderer, RenderRequest } from '../../routers/api/renderer.ts'
import { startRenderer } from '../../routers/rendering/renderer.ts'
import { startBusyLoops } from '../liquid/busy-loops.ts'
import { crowd, siteOfPages } from '../liquid/crowds.ts'
import { requestFor } from '../liquid/site.ts'

const SECONDS = Number(process.argv[2] ?? 20)
const BUSY_LOOPS = 2
const PROCESSES = 2
const ENDLESS = '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}'
/** Pause between loads of ordinary pages, and between loads of the same hostile page, in ms. */
const PAUSE = { ordinary: 25, hostile: 50 }

/** Time in ms to wait until all workers have started. The first response shows only that one worker has started. */
const STARTING_MS = 3_000

interface Result {
  times: number[]
  errors: string[]
}

const load = async (renderer: Renderer, request: RenderRequest, { times, errors }: Result) => {
  const started = performance.now()
  try {
    const outcome = await renderer.render(request)
    if (!outcome.ok) errors.push(outcome.error.kind)
  } catch (error) {
    errors.push(error instanceof Error ? error.name : String(error))
  }
  times.push(performance.now() - started)
}

const print = (what: string, { times, errors }: Result) => {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    `${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(0)} ms`
  console.log(
    `${what}: ${times.length} pages, median ${at(0.5)}, p99 ${at(0.99)}, slowest ${at(1)}, ${errors.length} errors ${[...new Set(errors)].join(' ')}`,
  )
}

const openAll = async (renderer: Renderer, requests: RenderRequest[], what: string) => {
  const result: Result = { times: [], errors: [] }
  await Promise.all(requests.map(request => load(renderer, request, result)))
  print(what, result)
}

/** @param isKnown whether the ordinary pages have been opened before */
const besideHostile = async (isKnown: boolean, withLoops: string) => {
  // The cache is too small for any document, so that each request is evaluated.
  const renderer = await ready({ cachedBytes: 1 })
  const pages = crowd({ pages: isKnown ? 20 : Math.ceil((SECONDS * 1000) / PAUSE.ordinary), spaces: 1 })
  if (isKnown) await openAll(renderer, pages, `before hostile pages of the same space, ${withLoops}`)
  const [{ space }] = pages as [RenderRequest, ...RenderRequest[]]
  const hostile = Array.from({ length: 3 }, (_, number) =>
    requestFor(`${ENDLESS}${number}`, siteOfPages(), space),
  )
  const until = performance.now() + SECONDS * 1000
  const attacks = hostile.map(async request => {
    while (performance.now() < until) {
      await renderer.render({ ...request, revision: pages[0]!.revision }).catch(() => {})
      await sleep(PAUSE.hostile)
    }
  })
  const result: Result = { times: [], errors: [] }
  const loads: Promise<void>[] = []
  for (let number = 0; performance.now() < until; number++) {
    loads.push(load(renderer, pages[number % pages.length]!, result))
    await sleep(PAUSE.ordinary)
  }
  await Promise.all([...attacks, ...loads])
  const what = isKnown ? 'known pages' : 'new pages'
  print(`${what} beside three hostile pages of the same space, ${withLoops}`, result)
  await renderer.stop()
}

console.log(`${os.cpus().length} cores, ${BUSY_LOOPS} busy loops, ${PROCESSES} renderer processes`)
const ready = async (options: { cachedBytes?: number } = {}) => {
  const renderer = startRenderer({ processes: PROCESSES, ...options })
  await renderer.render(requestFor('up'))
  await sleep(STARTING_MS)
  return renderer
}
await besideHostile(true, 'no busy loops')
await besideHostile(false, 'no busy loops')
const stop = await startBusyLoops(BUSY_LOOPS)
for (const size of [
  { pages: 40, spaces: 1 },
  { pages: 200, spaces: 1 },
  { pages: 40, spaces: 40 },
]) {
  const renderer = await ready()
  const requests = crowd(size)
  const what = `${size.pages} pages of ${size.spaces === 1 ? 'one space' : `${size.spaces} spaces`}`
  await openAll(renderer, requests, `${what}, cold`)
  await openAll(renderer, requests, `${what}, warm`)
  await renderer.stop()
}
await besideHostile(true, 'two busy loops')
await besideHostile(false, 'two busy loops')
stop()
