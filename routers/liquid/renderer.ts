import { LRUCache } from 'lru-cache'
import type { HeadOutcome, Renderer, RenderOutcome, RenderRequest } from '../core/renderer.ts'
import { Scheduler, type WorkerLog } from './workers/scheduler.ts'

/** Maximum number of pages whose title and description are cached. */
const CACHED_HEADS = 2048

/**
 * Starts `processes` renderer processes and a spare one. Returns at once; the first pages wait until a process is up.
 */
export function startRenderer(options: { processes: number; log?: WorkerLog }): Renderer {
  const scheduler = new Scheduler(options)
  // Holds only results that stay the same until a write: no errors, and no pages that use the clock or random values.
  const heads = new LRUCache<string, HeadOutcome>({ max: CACHED_HEADS })
  const evaluate = async (request: RenderRequest, headOnly: boolean) => {
    const outcome = await scheduler.render(request, headOnly)
    if (outcome.ok && outcome.isStable) heads.set(headKey(request), headOf(outcome))
    else heads.delete(headKey(request))
    return outcome
  }
  return {
    get load() {
      return scheduler.load
    },
    render: request => evaluate(request, false),
    head: async request => heads.get(headKey(request)) ?? evaluate(request, true),
    analyse: html => scheduler.analyse(html),
    stop: () => scheduler.stop(),
  }
}

const headKey = ({ space, revision, page }: RenderRequest) => `${page.id}\n${revision}\n${space}`

/** Returns a result without its document, which need not be cached. */
const headOf = ({ title, description, isStable }: RenderOutcome & { ok: true }): HeadOutcome => ({
  ok: true,
  title,
  description,
  isStable,
})
