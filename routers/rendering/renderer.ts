import { LRUCache } from 'lru-cache'
import type { HeadOutcome, Renderer, RenderOutcome, RenderRequest } from '../api/renderer.ts'
import { Scheduler, type WorkerLog } from './workers/scheduler.ts'

/** Maximum number of cached page heads, and their maximum total length as JSON, in characters. */
const CACHED_HEADS = 2048
const CACHED_CHARACTERS = 8 * 1024 * 1024

/** Approximate size of a cache entry in bytes, without its document. */
const ENTRY_OVERHEAD = 512

/** Maximum size of all cached documents in bytes, and the largest share of it that one document can have. */
const CACHED_BYTES = 33_554_432
const LARGEST_PART = 1 / 32

/**
 * Starts `processes` renderer processes and a spare one. Returns at once; the first pages wait until a process is
 * ready.
 */
export function startRenderer({
  cachedBytes = CACHED_BYTES,
  ...options
}: {
  processes: number
  log?: WorkerLog
  /** Maximum size of all cached documents in bytes, at least 1. */
  cachedBytes?: number
}): Renderer {
  const scheduler = new Scheduler(options)
  // Both caches hold only results that stay the same until a write: no errors, and no pages that use the
  // clock or random values. `heads` is for pages whose documents are not in memory.
  const heads = new LRUCache<string, HeadOutcome>({
    max: CACHED_HEADS,
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: head => JSON.stringify(head).length,
  })
  const documents = new LRUCache<string, RenderOutcome & { ok: true }>({
    maxSize: cachedBytes,
    maxEntrySize: Math.ceil(cachedBytes * LARGEST_PART),
    sizeCalculation: ({ html, head }, key) =>
      html.length + JSON.stringify(head).length + key.length + ENTRY_OVERHEAD,
  })
  const evaluate = async (request: RenderRequest, headOnly: boolean) => {
    const outcome = await scheduler.render(request, headOnly)
    if (!outcome.ok || !outcome.isStable) return outcome
    const { head, isStable } = outcome
    if (headOnly) heads.set(keyOf(request), { ok: true, head, isStable })
    else documents.set(keyOf(request), outcome)
    return outcome
  }
  return {
    get load() {
      return scheduler.load
    },
    render: async request => documents.get(keyOf(request)) ?? evaluate(request, false),
    // The id is different from that of the same draft without marks, so that the two never share an evaluation.
    renderMarked: ({ page, ...request }) => scheduler.render({ ...request, page: marked(page) }, false),
    head: async request =>
      documents.get(keyOf(request)) ?? heads.get(keyOf(request)) ?? evaluate(request, true),
    analyze: (html, account) => scheduler.analyze(html, account),
    renamePart: (html, rename, account) => scheduler.renamePart(html, rename, account),
    stop: () => scheduler.stop(),
  }
}

/** What a worker needs to know to mark the elements of a page. Only drafts get it. */
const marked = (page: RenderRequest['page']): RenderRequest['page'] & { isMarked: true } => ({
  ...page,
  id: `marked ${page.id}`,
  isMarked: true,
})

/**
 * The cache key of a page. It includes the page's kind. If a page becomes static while a reader opens it, it can still
 * be evaluated as scripted at the new revision. The resulting document is not sanitized, so it must not have the key of
 * the static page's document.
 */
const keyOf = ({ space, revision, page }: RenderRequest) => `${page.kind}\n${page.id}\n${revision}\n${space}`
