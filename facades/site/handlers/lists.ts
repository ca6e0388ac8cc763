import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'node:querystring'
import { LRUCache } from 'lru-cache'
import type { Delivery } from '../../../routers/api/context.ts'
import { xml } from '../../../routers/api/html.ts'
import { type Site, siteFinder } from '../../../routers/delivery/find-page.ts'
import {
  countPagesOfSite,
  type ListedPage,
  pagesOfSite,
  type Section,
} from '../../../routers/delivery/list-pages.ts'
import { pageFacts } from '../../../routers/delivery/page-facts.ts'
import type { Headers } from '../../http/send-text.ts'
import { canonicalOf, START } from '../canonical.ts'
import { articles, homePage, type ListPart, type TitledPage } from '../documents/lists.ts'
import { titleOf } from '../documents/shell.ts'
import { headers } from '../headers.ts'
import { pathOf, queryOf, sendDocument, sendNotFound, sendResource } from '../respond.ts'
import { SITE_MAP_LENGTH, siteMap, siteMapIndex } from '../site-map.ts'

/** Maximum number of pages in the feed. */
export const FEED_LENGTH = 50

/** The Atom feed of `/articles`, newest page first (RFC 4287). */
export const feed = (site: Site, pages: readonly TitledPage[], lang: string | null): string => {
  const updated = Math.max(site.createdAt.getTime(), ...pages.map(page => page.updatedAt.getTime()))
  return xml`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"${lang === null ? null : xml` xml:lang="${lang}"`}>
<id>${tag(site, site.createdAt, 'articles')}</id>
<title>${site.name}</title>
<updated>${new Date(updated).toISOString()}</updated>
<author><name>${site.name}</name></author>
<link rel="self" type="application/atom+xml" href="${site.url}/articles.atom"/>
<link rel="alternate" type="text/html" href="${site.url}/articles"/>
${pages.map(
  page => xml`<entry>
<id>${tag(site, page.createdAt, page.id)}</id>
<title>${page.title ?? titleOf(page.slug)}</title>
<link rel="alternate" type="text/html" href="${canonicalOf(site, page)}"/>
<published>${page.createdAt.toISOString()}</published>
<updated>${page.updatedAt.toISOString()}</updated>
</entry>
`,
)}</feed>
`.text
}

/** The id of the feed or of an entry (RFC 4151). It stays the same when the address of a page or the site changes. */
const tag = (site: Site, since: Date, name: string): string =>
  `tag:${site.hostname},${since.toISOString().slice(0, 10)}:${name}`

/** Maximum total size of the cached lists, in bytes. */
const MEMORY = 16 * 1_048_576

/** How long a list is kept that could not be completed in time, in ms. */
const PARTIAL_MS = 5_000

/** Creates a list. Returns null if the site does not have it. It calls `notComplete` if the list lacks something. */
type Build = (notComplete: () => void) => Promise<string | null>

/** Caches the lists of sites by revision. Concurrent requests for a list build it only once. */
export class ListCache {
  readonly #lists = new LRUCache<string, Buffer, Build>({
    maxSize: MEMORY,
    sizeCalculation: list => list.length,
    fetchMethod: async (_key, _stale, { context: build, options }) => {
      const text = await build(() => {
        options.ttl = PARTIAL_MS
      })
      return text === null ? undefined : Buffer.from(text)
    },
  })

  /**
   * Returns a list of a site as bytes, or null when there is none.
   *
   * @param name name of the list, unique on its site
   */
  async get(site: Site, name: string, build: Build): Promise<Buffer | null> {
    return (await this.#lists.fetch(`${site.id} ${site.revision} ${name}`, { context: build })) ?? null
  }
}

/** Maximum number of pages in each section of a list. */
const PART = 100

/** Valid values of `?page=`. Any other value shows the first section. */
const PART_NUMBER = /^[1-9]\d{0,5}$/

/** Sends one list of a site. @param given the headers, if they are not those of a document of the site */
type SendList = (req: IncomingMessage, res: ServerResponse, site: Site, given?: Headers) => Promise<void>

/** Returns the functions that send the lists of a site. Each list is built once for each revision of the site. */
export const siteLists = (core: Delivery) => {
  const cache = new ListCache()
  const factsOf = pageFacts(core)
  const findOnSite = siteFinder(core)

  const startOf = async (site: Site) => (await findOnSite(site.subdomain, START))?.page

  const langOf = async (site: Site): Promise<string | null> => {
    const page = await startOf(site)
    if (!page) return null
    return (await factsOf(site, [page])).facts.get(page.id)?.lang ?? null
  }

  /** Adds the titles of pages. @param onlyListed whether to leave out pages that ask not to be listed */
  const titled = async (
    site: Site,
    pages: readonly ListedPage[],
    notComplete: () => void,
    onlyListed = false,
  ) => {
    const { facts, isComplete } = await factsOf(site, pages)
    if (!isComplete) notComplete()
    return pages
      .filter(({ id }) => !onlyListed || !facts.get(id)?.isUnlisted)
      .map(page => ({ ...page, title: facts.get(page.id)?.title ?? null }))
  }

  const document =
    (path: string, order: Section['order'], build: (site: Site, part: ListPart) => string): SendList =>
    async (req, res, site, given = headers.ownDocument) => {
      const { page } = parse(queryOf(req).slice(1))
      const number = typeof page === 'string' && PART_NUMBER.test(page) ? Number(page) : 1
      const list = await cache.get(site, `${path} ${number}`, async notComplete => {
        const section = { order, offset: (number - 1) * PART, limit: PART + 1 }
        const pages = await pagesOfSite(core, site, section)
        if (pages.length === 0 && number > 1) return null
        const shown = await titled(site, pages.slice(0, PART), notComplete)
        return build(site, {
          pages: shown,
          lang: await langOf(site),
          number,
          hasNext: pages.length > PART,
        })
      })
      if (list) sendDocument(res, given, list)
      else sendNotFound(res, site)
    }

  const mapSection = async (site: Site, number: number, notComplete: () => void) => {
    const pages = await pagesOfSite(core, site, {
      order: 'newest',
      offset: (number - 1) * SITE_MAP_LENGTH,
      limit: SITE_MAP_LENGTH,
    })
    return { isEmpty: pages.length === 0, pages: await titled(site, pages, notComplete, true) }
  }

  const sendXml = (res: ServerResponse, site: Site, list: Buffer | null): void =>
    list ? sendResource(res, 'application/xml; charset=utf-8', list) : sendNotFound(res, site)

  return {
    homePage: document('/', 'slug', homePage),
    articles: document('/articles', 'newest', articles),

    feed: async (_req, res, site) => {
      const list = await cache.get(site, 'feed', async notComplete => {
        const pages = await pagesOfSite(core, site, { order: 'newest', limit: FEED_LENGTH })
        return feed(site, await titled(site, pages, notComplete, true), await langOf(site))
      })
      sendResource(res, 'application/atom+xml; charset=utf-8', list!)
    },

    /** The site map; an index of site maps when there are too many pages for one map. */
    siteMap: async (_req, res, site) => {
      const list = await cache.get(site, 'map', async notComplete => {
        const maps = Math.ceil((await countPagesOfSite(core, site)) / SITE_MAP_LENGTH)
        if (maps > 1) return siteMapIndex(site, maps)
        return siteMap(site, (await mapSection(site, 1, notComplete)).pages, true, !!(await startOf(site)))
      })
      sendXml(res, site, list)
    },

    /** One of several site maps. */
    siteMapPart: async (req, res, site) => {
      const number = Number(/(\d+)/.exec(pathOf(req))?.[1])
      const list = await cache.get(site, `map ${number}`, async notComplete => {
        const { isEmpty, pages } = await mapSection(site, number, notComplete)
        return isEmpty ? null : siteMap(site, pages, number === 1, !!(await startOf(site)))
      })
      sendXml(res, site, list)
    },
  } satisfies Record<string, SendList>
}
