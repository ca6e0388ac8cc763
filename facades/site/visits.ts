import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import type { Delivery, Visit } from '../../routers/api/context.ts'
import type { Site } from '../../routers/delivery/find-page.ts'
import { pathOf } from './respond.ts'

/** Maximum length of a stored path or host. */
const MAX_NAME = 200

/** Maximum number of browser names for which it is known whether they are robots, and maximum length of such a name. */
const KNOWN_BROWSERS = 1_000
const MAX_BROWSER = 500

/** Values of the headers with which browsers announce that they load a page before anybody reads it. */
const AHEAD = /prefetch|prerender|preview/i

/** Whether a request is one that nobody makes to read the page, or comes from a reader who does not want to be counted. */
const isUncounted = ({ method, headers }: IncomingMessage): boolean =>
  method !== 'GET' ||
  headers['sec-gpc'] === '1' ||
  headers.dnt === '1' ||
  [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']].some(
    purpose => purpose !== undefined && AHEAD.test(String(purpose)),
  )

/**
 * The host of the page whose link the reader followed; null if the browser does not tell, or if the link is on the site
 * itself or in one of the frames of scripted pages.
 */
const sourceOf = (
  { referer, host }: IncomingHttpHeaders,
  ownHost: string,
  pagesDomain: string,
): string | null => {
  if (!referer) return null
  const url = URL.parse(referer)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const isOwn = url.host === host || url.hostname === ownHost || url.hostname.endsWith(`.${pagesDomain}`)
  return isOwn ? null : url.hostname.replace(/^www\./, '').slice(0, MAX_NAME)
}

interface Counted {
  req: IncomingMessage
  res: ServerResponse
  site: Site
  /** Whether the response explains an error of the page; may change until the response is sent. */
  hasFailed: boolean
}

/**
 * Returns a function that counts a request to a site once its response has been sent. Its second parameter is the path
 * of the document, or null if the site has none at the requested path. Counts nothing of readers who ask not to be tracked, of robots, and of
 * browsers that load a page ahead.
 *
 * @param addressOf returns the network address of the client
 */
export const visitCounting = (
  { visits, addresses }: Delivery,
  addressOf: (req: IncomingMessage) => string,
) => {
  const robots = new LRUCache<string, boolean>({ max: KNOWN_BROWSERS })
  const pagesDomain = new URL(addresses.pageOrigin('x')).hostname.replace('x.', '')
  const isRobot = (userAgent: string) => {
    const known = robots.get(userAgent)
    if (known !== undefined) return known
    const found = isbot(userAgent)
    robots.set(userAgent, found)
    return found
  }

  return (visit: Counted, path: string | null): void => {
    const { req, res, site } = visit
    if (!visits || isUncounted(req)) return
    const userAgent = req.headers['user-agent']?.slice(0, MAX_BROWSER)
    if (!userAgent || isRobot(userAgent)) return
    // The address is not known any more once the connection has been closed.
    const address = addressOf(req)
    res.once('finish', () => {
      const kind = kindOf(res.statusCode, visit.hasFailed)
      if (kind === null) return
      visits.note({
        spaceId: site.id,
        kind,
        path: path ?? pathOf(req).slice(0, MAX_NAME),
        source: sourceOf(req.headers, new URL(site.url).hostname, pagesDomain),
        address,
        userAgent,
      })
    })
  }
}

/** What a response counts as; null for redirects and for readers who already have the document. */
const kindOf = (status: number, hasFailed: boolean): Visit['kind'] | null => {
  if (status === 404) return 'not_found'
  if (hasFailed || status >= 500) return 'failed'
  return status === 200 ? 'view' : null
}
