import type { Request, Response } from 'express'
import type { Core } from '../../routers/core/context.ts'
import { problemOf } from '../../routers/core/problem.ts'
import { RendererBusyError } from '../../routers/core/renderer.ts'
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
import { sendDocument } from './respond.ts'

type ContentRoute = Exclude<HostRoute, { kind: 'main' }>

/** Kinds of hosts that serve or preview pages. */
const RUN_PAGES = new Set<HostRoute['kind']>(['site', 'page', 'preview'])

/** Answers one request for a name below a content domain. */
type Deliver = (name: string, req: Request, res: Response) => Promise<void> | void

/**
 * Serves the content domains: sites, pages, drafts, files and posts. Reads and sets no cookies; answers GET and HEAD
 * only.
 *
 * @param onFault called with an internal error and the reference that the visitor sees
 */
export const contentHandler = (
  core: Core,
  onFault: (error: unknown, reference: string) => void,
  referenceOf: (req: object) => string,
) => {
  const handlers: Record<ContentRoute['kind'], Deliver> = {
    site: siteHandler(core),
    page: pageHandler(core),
    preview: previewHandler(core),
    file: fileHandler(core),
    post: postHandler(core),
  }

  const fail = (error: unknown, req: Request, res: Response) => {
    const seconds = secondsUntilRetry(error)
    if (seconds === undefined) onFault(error, referenceOf(req))
    if (res.headersSent) return void res.destroy()
    if (seconds !== undefined) {
      res.status(503).set('Retry-After', String(seconds))
      return sendDocument(res, headers.notice, busy(seconds))
    }
    for (const name of res.getHeaderNames()) res.removeHeader(name)
    sendDocument(res.status(500), headers.notice, internalError(referenceOf(req)))
  }

  return async (route: ContentRoute, req: Request, res: Response): Promise<void> => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.status(405).set('Allow', 'GET, HEAD')
      sendDocument(res, headers.notice, methodNotAllowed(req.method))
      return drain(req)
    }
    if (req.path === PAGE_SCRIPT_PATH && RUN_PAGES.has(route.kind)) return sendPageScript(res)
    try {
      await handlers[route.kind](route.name, req, res)
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
