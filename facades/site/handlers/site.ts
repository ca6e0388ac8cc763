import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Delivery } from '../../../routers/api/context.ts'
import type { DocumentHead, HeadOutcome } from '../../../routers/api/renderer.ts'
import { evaluate, evaluateHead } from '../../../routers/delivery/evaluate-page.ts'
import { type FoundPage, type Site, siteFinder } from '../../../routers/delivery/find-page.ts'
import { openIcon } from '../../../routers/delivery/find-space.ts'
import type { Headers } from '../../http/send-text.ts'
import { canonicalOf, START } from '../canonical.ts'
import { framed, frameScript } from '../documents/frame.ts'
import { forward, forwardScript } from '../documents/notices.ts'
import { headers, templateErrorHeader } from '../headers.ts'
import {
  isFramed,
  pathOf,
  queryOf,
  redirect,
  sendDocument,
  sendNotFound,
  sendResource,
  sendTemplateError,
} from '../respond.ts'
import { robots } from '../site-map.ts'
import { visitCounting } from '../visits.ts'
import { siteLists } from './lists.ts'

/** Maximum total size of the cached documents, in bytes. */
const MEMORY = 4 * 1_048_576

/** The document around a scripted page, and what it was built from. */
interface Kept {
  head: DocumentHead
  source: string
  bytes: Buffer
}

/**
 * Caches the documents around scripted pages. Building and encoding one takes an eighth of the time of a
 * visit. The renderer returns the same object for the head of a page until the site changes. A cached
 * document is therefore current if it was built from the object that the renderer returns now.
 */
export class FrameCache {
  readonly #documents = new LRUCache<string, Kept>({
    maxSize: MEMORY,
    sizeCalculation: ({ bytes }) => bytes.length,
  })

  /** Returns the document; see {@link framed}. */
  get(site: Site, page: FoundPage, result: HeadOutcome, source: string): Buffer {
    const kept = this.#documents.get(page.id)
    if (kept && result.ok && kept.head === result.head && kept.source === source) return kept.bytes
    const bytes = Buffer.from(framed(site, page, result, source))
    if (result.ok && result.isStable) this.#documents.set(page.id, { head: result.head, source, bytes })
    return bytes
  }
}

interface Visit {
  core: Delivery
  req: IncomingMessage
  res: ServerResponse
  site: Site
  /** Whether the response explains an error of the page. */
  hasFailed: boolean
}

/** Serves a built-in address of a site, such as its feed. */
type BuiltIn = (visit: Visit) => Promise<void> | void

/** Built-in paths that people read, which are counted like pages. */
const READ_BY_PEOPLE = new Set(['/', '/articles', '/articles.atom'])

/** The path of one of several site maps. */
const SITE_MAP_PART = /^\/sitemap-[1-9]\d{0,3}\.xml$/

/**
 * Returns a function that finds the handler of a built-in path, such as the path of the feed. The function
 * returns undefined for any path that is not built in. The handler of `/` is used only if there is no page
 * `index`. All other built-in paths differ from the paths of pages: `articles` is a reserved slug, and the rest
 * contain a dot, which slugs cannot contain.
 */
const builtIns = (core: Delivery) => {
  const lists = siteLists(core)
  const byPath: Record<string, BuiltIn> = {
    '/': ({ req, res, site }) => lists.homePage(req, res, site),
    '/articles': ({ req, res, site }) => lists.articles(req, res, site),
    '/articles.atom': ({ req, res, site }) => lists.feed(req, res, site),
    '/sitemap.xml': ({ req, res, site }) => lists.siteMap(req, res, site),
    '/robots.txt': ({ res, site }) => sendResource(res, 'text/plain; charset=utf-8', robots(site)),
    '/favicon.ico': async ({ res, site }) => {
      const png = site.iconId ? await openIcon(core, site.iconId) : null
      if (png) sendResource(res, 'image/png', png)
      else sendNotFound(res, site)
    },
  }
  const siteMapPart: BuiltIn = ({ req, res, site }) => lists.siteMapPart(req, res, site)
  return (path: string): BuiltIn | undefined => {
    if (Object.hasOwn(byPath, path)) return byPath[path]
    return SITE_MAP_PART.test(path) ? siteMapPart : undefined
  }
}

/**
 * Serves `<subdomain>.<site_domain>`, and domains of a site's own. A site has one main address; its other addresses
 * redirect to it. The redirects are temporary, because a domain can be taken from a site at any time.
 *
 * @param addressOf returns the network address of the client
 */
export const siteHandler = (core: Delivery, addressOf: (req: IncomingMessage) => string) => {
  const builtInAt = builtIns(core)
  const findOnSite = siteFinder(core)
  const frames = new FrameCache()
  const countVisit = visitCounting(core, addressOf)
  return async (
    subdomain: string,
    req: IncomingMessage,
    res: ServerResponse,
    domain: string | null,
  ): Promise<void> => {
    const asked = pathOf(req)
    const path = canonicalPath(asked)
    const found = await findOnSite(subdomain, path === '/' ? START : (path?.slice(1) ?? ''))
    if (!found) return sendNotFound(res)
    const { site, page } = found
    if (domain !== site.mainHost) return redirect(res, addressOn(site, req))
    const builtIn = page || path === null ? undefined : builtInAt(path)
    const isFound = page !== null || builtIn !== undefined
    if (isFramed(req)) {
      if (!isFound) res.statusCode = 404
      return sendForward(res, site, req)
    }
    const visit = { core, req, res, site, hasFailed: false }
    if (!isFound) {
      countVisit(visit, null)
      return sendNotFound(res, site)
    }
    if (path !== null && path !== asked) return redirect(res, path + queryOf(req))
    if (page) countVisit(visit, page.slug === START ? '/' : `/${page.slug}`)
    else if (READ_BY_PEOPLE.has(asked)) countVisit(visit, asked)
    return page ? deliverPage(visit, page, frames) : builtIn?.(visit)
  }
}

/** The requested path and query at the main address of the site. */
const addressOn = (site: Site, req: IncomingMessage): string =>
  new URL(site.url + pathOf(req) + queryOf(req)).href

const sendForward = (res: ServerResponse, site: Site, req: IncomingMessage): void =>
  sendDocument(res, headers.forward(forwardScript.source), forward(site, addressOn(site, req)))

/**
 * The canonical form of a path: lower case, decoded, without a trailing slash. Other spellings redirect to it. Null
 * for a malformed escape.
 */
const canonicalPath = (path: string): string | null => {
  try {
    return decodeURIComponent(path)
      .toLowerCase()
      .replace(/(?<=.)\/$/, '')
  } catch {
    return null
  }
}

const deliverPage = (visit: Visit, page: FoundPage, frames: FrameCache): Promise<void> =>
  page.kind === 'static' ? deliverStatic(visit, page) : deliverFrame(visit, page, frames)

const deliverStatic = async (visit: Visit, page: FoundPage): Promise<void> => {
  const { core, res, site } = visit
  const result = await evaluate(core, page.row)
  if (!result) return sendNotFound(res, site)
  visit.hasFailed = !result.ok
  // The document of a static page is the author's own. The home page has two addresses, so a header names one of them.
  const link: Headers =
    page.slug === START &&
    result.ok &&
    !result.head.links.some(({ rel }) => rel.split(' ').includes('canonical'))
      ? { Link: `<${canonicalOf(site, page)}>; rel="canonical"` }
      : {}
  if (result.ok) sendDocument(res, { ...headers.staticPage, ...link }, result.html)
  else sendTemplateError(res, headers.ownDocument, result.error, page.editor)
}

/** Sends the document around a scripted page. The page itself is evaluated when the frame loads. */
const deliverFrame = async (visit: Visit, page: FoundPage, frames: FrameCache): Promise<void> => {
  const { core, req, res, site } = visit
  const result = await evaluateHead(core, page.row)
  if (!result) return sendNotFound(res, site)
  visit.hasFailed = !result.ok
  // An error in the template source is shown on the site itself. Any other error is shown in the frame.
  if (!result.ok && result.error.isInSource)
    return sendTemplateError(res, headers.ownDocument, result.error, page.editor)
  // The frame has the same path and query as the site, so that relative URLs resolve to the same paths.
  const source = new URL(core.addresses.pageOrigin(page.id) + pathOf(req) + queryOf(req)).href
  sendDocument(
    res,
    result.ok ? FRAME_HEADERS : { ...FRAME_HEADERS, ...templateErrorHeader(result.error) },
    frames.get(site, page, result, source),
  )
}

const FRAME_HEADERS = headers.frame(frameScript.source)
