import { LRUCache } from 'lru-cache'
import type { Delivery } from '../api/context.ts'
import { RendererBusyError } from '../api/renderer.ts'
import { shownText } from '../api/shown-text.ts'
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

type FactPage = Pick<ListedPage, 'id' | 'slug' | 'kind'> & Partial<Pick<ListedPage, 'updatedAt'>>

/** The facts of a page, and the version of everything that they were read from. */
interface Known {
  revision: string
  /** Undefined if it is not known when the page was changed. */
  version: string | undefined
  facts: PageFacts
}

/** Pages whose facts are kept in memory. */
const KNOWN_PAGES = 20_000

/** No further page is evaluated while at least this many evaluations are waiting. */
const BUSY = 2

const NOTHING: PageFacts = { title: null, lang: null, isUnlisted: false }

/**
 * Returns a function that reads facts from the heads of pages. It evaluates them one after another, and stops if that
 * takes too long or the renderer is busy; then pages keep the facts of an earlier revision, or have none. A later call
 * continues. A page is evaluated again only after it, a part or a record has changed. So a title that depends on the
 * lists of pages or files, or on the time, can be an earlier one.
 */
export const pageFacts = (core: Delivery) => {
  const known = new LRUCache<string, Known>({ max: KNOWN_PAGES })

  /** Returns undefined if the renderer cannot evaluate the page now. */
  const evaluated = async (site: Site, page: FactPage): Promise<PageFacts | undefined> => {
    try {
      return await factsOf(core, site, page)
    } catch (error) {
      if (error instanceof RendererBusyError) return undefined
      throw error
    }
  }

  return async (site: Site, pages: readonly FactPage[]) => {
    const { id, revision, name } = site
    const end = performance.now() + core.listPatience
    const found = new Map<string, PageFacts>()
    const isCurrent = (page: FactPage) => known.get(page.id)?.revision === revision
    const shared = pages.every(isCurrent) ? '' : await core.sites.findSharedContentVersion(id)
    let isComplete = true
    for (const page of pages) {
      const version = page.updatedAt && `${page.updatedAt.getTime()} ${name} ${shared}`
      const earlier = known.get(page.id)
      let facts = earlier?.facts
      const isSame = version !== undefined && earlier?.version === version
      if (earlier?.revision !== revision && !isSame) {
        const mayEvaluate: boolean =
          isComplete && performance.now() < end && core.renderer.load.waiting < BUSY
        const current: PageFacts | undefined = mayEvaluate ? await evaluated(site, page) : undefined
        isComplete = current !== undefined
        facts = current ?? facts
        if (current) known.set(page.id, { revision, version, facts: current })
      }
      if (facts) found.set(page.id, facts)
    }
    return { facts: found, isComplete }
  }
}

const factsOf = async (core: Delivery, site: Site, { id, slug, kind }: FactPage): Promise<PageFacts> => {
  const { id: space_id, account, subdomain, mainHost, revision } = site
  const outcome = await evaluateHead(core, {
    space_id,
    account,
    subdomain,
    main_host: mainHost,
    revision,
    page_id: id,
    slug,
    kind,
  })
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
