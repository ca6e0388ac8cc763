/** The program of a worker process. */
import { LRUCache } from 'lru-cache'
import { type AnalyzeOrder, type Order, type RenderOrder, type Report, WATCHED } from '../messages.ts'
import { Evaluator } from './evaluator.ts'
import { Guard, StarvedError, threadTime } from './guard.ts'
import { Site } from './site.ts'
import { warmUp } from './warm-up.ts'

/**
 * Maximum total length of cached snapshots, in characters; the objects created from them take a few times as much
 * memory.
 */
const SNAPSHOT_CHARACTERS = 8 * 1024 * 1024

/** Added to every snapshot's weight, so that the cache also limits the number of tiny spaces. */
const SNAPSHOT_OVERHEAD = 8 * 1024

/**
 * Heap usage above which caches are emptied, and resident memory above which the process asks to be replaced, in bytes.
 */
const HEAP_PRESSURE = 120 * 1024 * 1024
const PROCESS_LIMIT = 320 * 1024 * 1024

/**
 * After `IDLE_MS` without work, the process compares its memory with its memory at the start:
 *
 * - If the memory is more than `GROWN` times as large, the process collects garbage.
 * - If the memory is then still more than `LARGE` times as large, the process empties its caches.
 * - If the memory is even then more than `LARGE` times as large, the process asks to be replaced.
 */
const IDLE_MS = 2_000
const GROWN = 1.1
const LARGE = 1.25

/** Number of jobs between two checks of memory. */
const MEMORY_CHECK_INTERVAL = 16

/**
 * Minimum processor time between two reports, in ms. If a phase starts sooner after the last report, its start is not
 * reported. The start of a job counts as a report.
 */
const UNREPORTED_MS = 5

const NO_BYTES = Buffer.alloc(0)

const sites = new LRUCache<string, Site>({ maxSize: SNAPSHOT_CHARACTERS })
let jobs = 0
let currentOrder = 0
let reportedAt = 0
const isWatched = process.argv.includes(WATCHED)
const guard = new Guard(isWatched, () => {
  const now = threadTime()
  if (now - reportedAt < UNREPORTED_MS) return
  reportedAt = now
  send({ type: 'phase', id: currentOrder, threadTime: now })
})
const evaluator = new Evaluator(guard)

function send(report: Report): void {
  process.send?.(report)
}

/** Returns the space at the requested revision, from the message or from the cache. */
function siteFor({ space, revision, snapshot }: RenderOrder): Site | undefined {
  if (snapshot !== undefined) {
    const site = new Site(revision, snapshot)
    // A snapshot that alone exceeds the limit replaces all others, and is kept until the next one arrives.
    const size = Math.min(site.weight + SNAPSHOT_OVERHEAD, SNAPSHOT_CHARACTERS)
    sites.set(space, site, { size })
    return site
  }
  const site = sites.get(space)
  return site?.revision === revision ? site : undefined
}

function render(order: RenderOrder): void {
  const { id, page, html, headOnly } = order
  const before = threadTime()
  const site = siteFor(order)
  const hash = html === undefined ? site?.bodyOf(page.id) : site?.addBody(page.id, html)
  if (site && hash !== undefined && (html !== undefined || evaluator.has(hash))) {
    const evaluated = evaluator.render(site, { ...page, hash }, html)
    const document = evaluated.ok && !headOnly ? Buffer.from(evaluated.html) : NO_BYTES
    const outcome = evaluated.ok ? { ...evaluated, html: document } : evaluated
    const spent = threadTime() - before
    const parsed = html !== undefined
    send({ type: 'rendered', id, outcome, spent, parsed, bloated: isBloated(!outcome.ok) })
  } else {
    send({ type: 'missing', id, snapshot: !site })
  }
}

/** Checks memory at intervals and after every failure; empties the caches if the heap is under pressure. */
function isBloated(failed: boolean): boolean {
  jobs += 1
  if (!failed && jobs % MEMORY_CHECK_INTERVAL !== 0) return false
  const { rss, heapUsed } = process.memoryUsage()
  if (heapUsed > HEAP_PRESSURE) emptyCaches()
  return rss > PROCESS_LIMIT
}

function emptyCaches(): void {
  sites.clear()
  evaluator.emptyCache()
}

/** Collects all garbage and returns the memory to the system, which the engine alone would do much later. */
const collectGarbage = () => gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/**
 * Returns memory to the system while the worker is idle. Collects garbage; if that is not enough, empties the caches.
 * If the worker still holds much memory, this memory is fragmented. The worker then asks to be replaced, because only a
 * new process helps.
 */
function shrink(): void {
  const hasGrown = (factor: number) => process.memoryUsage.rss() > initialSize * factor
  if (hasGrown(GROWN)) collectGarbage()
  if (!hasGrown(LARGE)) return
  emptyCaches()
  collectGarbage()
  if (hasGrown(LARGE)) send({ type: 'bloated' })
}

function analyze({ id, html, rename }: AnalyzeOrder): void {
  const analysis = rename ? evaluator.renamePart(html, rename) : evaluator.analyze(html)
  send({ type: 'analyzed', id, analysis, bloated: isBloated(true) })
}

process.on('message', (order: Order) => {
  idleTimer.refresh()
  currentOrder = order.id
  reportedAt = threadTime()
  try {
    if (order.type === 'render') render(order)
    else analyze(order)
  } catch (error) {
    if (!(error instanceof StarvedError)) throw error
    send({ type: 'starved', id: order.id })
  }
})

// Ignore SIGINT outside jobs: the parent's signal can arrive just after a job has ended. Terminals and service managers
// send signals to all processes of the service, but only the parent decides what to do then.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {})

// The channel closes when the parent ends, whatever the reason.
process.on('disconnect', () => process.exit(0))

warmUp(evaluator)
const initialSize = process.memoryUsage.rss()
const idleTimer = setTimeout(shrink, IDLE_MS)
send({ type: 'ready' })
