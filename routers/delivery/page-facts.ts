import { LRUCache } from 'lru-cache'
import type { Core } from '../core/context.ts'
import { shownText } from '../core/shown-text.ts'
import { evaluateHead } from './evaluate-page.ts'
import type { Site } from './find-page.ts'
import type { ListedPage } from './list-pages.ts'

/** What lists of pages take from the head of a page. */
export interface PageFacts {
  /** The title; null if the document has none. */
  title: string | null
  lang: string | null
  /** Whether the page asks search engines not to list it. */
  isUnlisted: boolean
}

/** Pages whose facts are kept in memory. */
const KNOWN_PAGES = 20_000

/** Time after which no further page is evaluated for a list, in ms. */
const PATIENCE_MS = 3_000

/** No further page is evaluated while at least this many evaluations are waiting. */
const BUSY = 8

const NOTHING: PageFacts = { title: null, lang: null, isUnlisted: false }

/**
 * Returns a function that reads facts from the heads of pages. It evaluates them one after another, and stops early if
 * that takes too long or the renderer is busy. A later call then continues, because facts are kept for each revision.
 */
export const pageFacts = (core: Core) => {
  const known = new LRUCache<string, PageFacts>({ max: KNOWN_PAGES })
  return async (site: Site, pages: readonly Pick<ListedPage, 'id' | 'slug' | 'kind'>[]) => {
    const end = performance.now() + PATIENCE_MS
    const facts = new Map<string, PageFacts>()
    for (const page of pages) {
      const key = `${page.id} ${site.revision}`
      let fact = known.get(key)
      if (!fact) {
        if (performance.now() > end || core.renderer.load.waiting >= BUSY) return { facts, isComplete: false }
        fact = await factsOf(core, site, page)
        known.set(key, fact)
      }
      facts.set(page.id, fact)
    }
    return { facts, isComplete: true }
  }
}

const factsOf = async (
  core: Core,
  site: Site,
  { id, slug, kind }: Pick<ListedPage, 'id' | 'slug' | 'kind'>,
): Promise<PageFacts> => {
  const { id: space_id, subdomain, revision } = site
  const outcome = await evaluateHead(core, { space_id, subdomain, revision, page_id: id, slug, kind })
  if (!outcome?.ok) return NOTHING
  const { title, lang, metas } = outcome.head
  return {
    title: title === null ? null : shownText(title) || null,
    lang,
    isUnlisted: metas.some(
      ({ name, content }) => name.toLowerCase() === 'robots' && /\b(noindex|none)\b/i.test(content),
    ),
  }
}
