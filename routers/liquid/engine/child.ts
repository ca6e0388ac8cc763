import type { Order, RenderOrder, Report } from '../messages.ts'
import { Evaluator } from './evaluator.ts'
import { WeightedCache } from './lru.ts'
import { Site } from './site.ts'
import { warmUp } from './warm-up.ts'

/** Characters of snapshots that are kept; the objects made from them take a few times as much. */
const SNAPSHOTS_KEPT = 8 * 1024 * 1024

/** Added to every snapshot's weight, so that a thousand tiny spaces are not free. */
const SNAPSHOT_OVERHEAD = 8 * 1024

/** Heap in use above which caches are emptied, and memory of the process above which it asks to be replaced. */
const HEAP_PRESSURE = 120 * 1024 * 1024
const PROCESS_LIMIT = 320 * 1024 * 1024

/**
 * Once it has had nothing to do for so long, in ms, it collects garbage if it has grown to so many times of what it had
 * at first. If that does not help enough it lets go of what it keeps to be quick, or else asks to be replaced.
 */
const RESTING_MS = 2_000
const GROWN = 1.1
const LARGE = 1.25

/** Jobs between two looks at memory. */
const MEMORY_EVERY = 16

/** Work shorter than this is not announced: the parent's patience is longer. In ms. */
const UNANNOUNCED_MS = 50

const NO_BYTES = Buffer.alloc(0)

const sites = new WeightedCache<Site>(SNAPSHOTS_KEPT)
let jobs = 0
let current = 0
let announced = 0
const evaluator = new Evaluator(() => {
  if (performance.now() - announced < UNANNOUNCED_MS) return
  announced = performance.now()
  send({ type: 'phase', id: current })
})

function send(report: Report): void {
  process.send?.(report)
}

/** The space at the wanted revision, from the order or from memory. Older revisions are of no use to anyone. */
function siteFor({ space, revision, snapshot }: RenderOrder): Site | undefined {
  if (snapshot !== undefined) {
    const site = new Site(space, revision, snapshot)
    sites.set(space, site, site.weight + SNAPSHOT_OVERHEAD)
    return site
  }
  const site = sites.get(space)
  return site?.revision === revision ? site : undefined
}

function render(order: RenderOrder): void {
  const { id, page, html, headOnly } = order
  const before = process.cpuUsage()
  const site = siteFor(order)
  const hash = html === undefined ? site?.bodyOf(page.id) : site?.addBody(page.id, html)
  if (site && hash !== undefined && (html !== undefined || evaluator.knows(hash))) {
    const evaluated = evaluator.render(site, { ...page, hash }, html)
    const document = evaluated.ok && !headOnly ? Buffer.from(evaluated.html) : NO_BYTES
    const outcome = evaluated.ok ? { ...evaluated, html: document } : evaluated
    const { user, system } = process.cpuUsage(before)
    const spent = (user + system) / 1000
    const parsed = html !== undefined
    send({ type: 'rendered', id, outcome, spent, parsed, bloated: isBloated(!outcome.ok) })
  } else {
    send({ type: 'lacks', id, snapshot: !site })
  }
}

/** Looks at memory now and then, and after every failure. Empties the caches when they get in the way. */
function isBloated(failed: boolean): boolean {
  jobs += 1
  if (!failed && jobs % MEMORY_EVERY !== 0) return false
  const { rss, heapUsed } = process.memoryUsage()
  if (heapUsed > HEAP_PRESSURE) {
    sites.clear()
    evaluator.forget()
  }
  return rss > PROCESS_LIMIT
}

/** Collects all garbage and returns its pages, which the engine by itself would do much later. */
const collect = () => gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/**
 * Gives back what work has left behind; then also what is kept to be quick. What remains after that lies in gaps of the
 * allocator, and only goes away with the process.
 */
function letGo(): void {
  const hasGrown = (times: number) => process.memoryUsage.rss() > fresh * times
  if (hasGrown(GROWN)) collect()
  if (!hasGrown(LARGE)) return
  sites.clear()
  evaluator.forget()
  collect()
  if (hasGrown(LARGE)) send({ type: 'bloated' })
}

process.on('message', (order: Order) => {
  resting.refresh()
  current = order.id
  announced = performance.now()
  if (order.type === 'render') render(order)
  else
    send({
      type: 'analysed',
      id: order.id,
      analysis: evaluator.analyse(order.html),
      bloated: isBloated(true),
    })
})

// The channel closes when the parent ends, however it ends.
process.on('disconnect', () => process.exit(0))

warmUp(evaluator)
const fresh = process.memoryUsage.rss()
const resting = setTimeout(letGo, RESTING_MS)
send({ type: 'ready' })
