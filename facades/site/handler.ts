import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Core } from '../../routers/api/context.ts'
import { problemOf } from '../../routers/api/problem.ts'
import { RendererBusyError } from '../../routers/api/renderer.ts'
import { drain } from '../http/drain.ts'
import type { HostRoute } from '../http/hosts.ts'
import { busy, internalError, methodNotAllowed } from './documents/notices.ts'
import { fileHandler } from './handlers/file.ts'
import { pageHandler } from './handlers/page.ts'
import { PAGE_SCRIPT_PATH, sendPageScript } from './handlers/page-script.ts'
import { postHandler } from './handlers/post.ts'
import { previewHandler } from './handlers/preview.ts'
import { siteHandler } from './handlers/site.ts'
import { headers } from './headers.ts'
import { pathOf, sendDocument } from './respond.ts'

type ContentRoute = Exclude<HostRoute, { kind: 'main' }>

/** Kinds of hosts that serve or preview pages. */
const RUN_PAGES = new Set<HostRoute['kind']>(['site', 'page', 'preview'])

/**
 * Answers one request for a name below a content domain.
 *
 * @param domain the requested domain of a site's own; null for a name below a content domain
 */
type Deliver = (
  name: string,
  req: IncomingMessage,
  res: ServerResponse,
  domain: string | null,
) => Promise<void> | void

/**
 * Serves the content domains and the domains of sites: sites, pages, drafts, files and posts. Reads and sets no cookies; answers GET and HEAD
 * only.
 *
 * @param onFault called with an internal error and the reference that the visitor sees
 * @param addressOf returns the network address of the client
 */
export const contentHandler = (
  core: Core,
  onFault: (error: unknown, reference: string) => void,
  referenceOf: (req: object) => string,
  addressOf: (req: IncomingMessage) => string,
) => {
  const handlers: Record<ContentRoute['kind'], Deliver> = {
    site: siteHandler(core, addressOf),
    page: pageHandler(core),
    preview: previewHandler(core),
    file: fileHandler(core, addressOf),
    post: postHandler(core),
  }

  const fail = (error: unknown, req: IncomingMessage, res: ServerResponse) => {
    const seconds = secondsUntilRetry(error)
    if (seconds === undefined) onFault(error, referenceOf(req))
    if (res.headersSent) return void res.destroy()
    if (seconds !== undefined) {
      res.statusCode = 503
      return sendDocument(res, { ...headers.notice, 'Retry-After': String(seconds) }, busy(seconds))
    }
    res.statusCode = 500
    sendDocument(res, headers.notice, internalError(referenceOf(req)))
  }

  return async (route: ContentRoute, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.statusCode = 405
      sendDocument(res, { ...headers.notice, Allow: 'GET, HEAD' }, methodNotAllowed(req.method ?? ''))
      return drain(req)
    }
    if (pathOf(req) === PAGE_SCRIPT_PATH && RUN_PAGES.has(route.kind)) return sendPageScript(res)
    try {
      await handlers[route.kind](route.name, req, res, 'domain' in route ? route.domain : null)
    } catch (error) {
      fail(error, req, res)
    }
  }
}

/** Seconds after which a visitor should retry if the service is unavailable; undefined for an internal error. */
const secondsUntilRetry = (error: unknown): number | undefined =>
  error instanceof RendererBusyError
    ? error.retryAfterSeconds
    : problemOf(error).problem === 'unavailable'
      ? problemOf(error).circumstances.retryAfter
      : undefined
