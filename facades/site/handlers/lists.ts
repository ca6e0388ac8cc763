import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'node:querystring'
import type { Core } from '../../../routers/api/context.ts'
import { type Site, siteFinder } from '../../../routers/delivery/find-page.ts'
import {
  countPagesOfSite,
  type ListedPage,
  pagesOfSite,
  type Section,
} from '../../../routers/delivery/list-pages.ts'
import { pageFacts } from '../../../routers/delivery/page-facts.ts'
import { START } from '../canonical.ts'
import { articles, homePage, type ListPart } from '../documents/lists.ts'
import { FEED_LENGTH, feed } from '../feed.ts'
import { headers } from '../headers.ts'
import { ListCache } from '../list-cache.ts'
import { pathOf, queryOf, sendDocument, sendNotFound, sendResource } from '../respond.ts'
import { SITE_MAP_LENGTH, siteMap, siteMapIndex } from '../site-map.ts'

/** Maximum number of pages in each section of a list. */
const PART = 100

/** Valid values of `?page=`. Any other value shows the first section. */
const PART_NUMBER = /^[1-9]\d{0,5}$/

/** Sends one list of a site. */
type SendList = (req: IncomingMessage, res: ServerResponse, site: Site) => Promise<void>

/** Returns the functions that send the lists of a site. Each list is built once for each revision of the site. */
export const siteLists = (core: Core) => {
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
    async (req, res, site) => {
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
      if (list) sendDocument(res, headers.ownDocument, list)
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
