import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'node:querystring'
import type { Core } from '../../../routers/core/context.ts'
import type { Site } from '../../../routers/delivery/find-page.ts'
import { countPagesOfSite, pagesOfSite, type Section } from '../../../routers/delivery/list-pages.ts'
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

  const document =
    (path: string, order: Section['order'], build: (site: Site, part: ListPart) => string): SendList =>
    async (req, res, site) => {
      const { page } = parse(queryOf(req).slice(1))
      const number = typeof page === 'string' && PART_NUMBER.test(page) ? Number(page) : 1
      const list = await cache.get(site, `${path} ${number}`, async () => {
        const section = { order, offset: (number - 1) * PART, limit: PART + 1 }
        const pages = await pagesOfSite(core, site, section)
        if (pages.length === 0 && number > 1) return null
        return build(site, { pages: pages.slice(0, PART), number, hasNext: pages.length > PART })
      })
      if (list) sendDocument(res, headers.ownDocument, list)
      else sendNotFound(res, site)
    }

  const mapSection = (site: Site, number: number) =>
    pagesOfSite(core, site, {
      order: 'newest',
      offset: (number - 1) * SITE_MAP_LENGTH,
      limit: SITE_MAP_LENGTH,
    })

  const sendXml = (res: ServerResponse, site: Site, list: Buffer | null): void =>
    list ? sendResource(res, 'application/xml; charset=utf-8', list) : sendNotFound(res, site)

  return {
    homePage: document('/', 'slug', homePage),
    articles: document('/articles', 'newest', articles),

    feed: async (_req, res, site) => {
      const list = await cache.get(site, 'feed', async () =>
        feed(site, await pagesOfSite(core, site, { order: 'newest', limit: FEED_LENGTH })),
      )
      sendResource(res, 'application/atom+xml; charset=utf-8', list!)
    },

    /** The site map; an index of site maps when there are too many pages for one map. */
    siteMap: async (_req, res, site) => {
      const list = await cache.get(site, 'map', async () => {
        const maps = Math.ceil((await countPagesOfSite(core, site)) / SITE_MAP_LENGTH)
        return maps > 1 ? siteMapIndex(site, maps) : siteMap(site, await mapSection(site, 1), true)
      })
      sendXml(res, site, list)
    },

    /** One of several site maps. */
    siteMapPart: async (req, res, site) => {
      const number = Number(/(\d+)/.exec(pathOf(req))?.[1])
      const list = await cache.get(site, `map ${number}`, async () => {
        const pages = await mapSection(site, number)
        return pages.length > 0 ? siteMap(site, pages, number === 1) : null
      })
      sendXml(res, site, list)
    },
  } satisfies Record<string, SendList>
}
