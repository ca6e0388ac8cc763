import type { IncomingMessage, ServerResponse } from 'node:http'
import { RendererBusyError } from '../../routers/api/renderer.ts'
import { drain } from '../http/drain.ts'
import type { HostRoute } from '../http/hosts.ts'
import { busy, internalError, methodNotAllowed } from './documents/notices.ts'
import { PAGE_SCRIPT_PATH, sendPageScript } from './handlers/page-script.ts'
import { headers } from './headers.ts'
import { pathOf, sendDocument } from './respond.ts'

/** Kinds of hosts that serve or preview pages. */
const RUN_PAGES = new Set<HostRoute['kind']>(['site', 'page', 'preview', 'draft'])

/**
 * Answers one request for a name below a content domain.
 *
 * @param domain the requested domain of a site's own; null for a name below a content domain
 */
export type Deliver = (
  name: string,
  req: IncomingMessage,
  res: ServerResponse,
  domain: string | null,
) => Promise<void> | void

interface Faults {
  /** Called with an internal error and the reference that the visitor sees. */
  onFault: (error: unknown, reference: string) => void
  referenceOf: (req: object) => string
  /** Seconds after which a visitor should retry if an error says that the service is unavailable; otherwise undefined. */
  secondsUntilRetry: (error: unknown) => number | undefined
}

/** Returns a function that answers requests for content with the handler of the kind of host. Answers GET and HEAD only. */
export const answering = <Kind extends Exclude<HostRoute['kind'], 'main'>>(
  handlers: Record<Kind, Deliver>,
  { onFault, referenceOf, secondsUntilRetry }: Faults,
) => {
  const fail = (error: unknown, req: IncomingMessage, res: ServerResponse) => {
    const seconds = error instanceof RendererBusyError ? error.retryAfterSeconds : secondsUntilRetry(error)
    if (seconds === undefined) onFault(error, referenceOf(req))
    if (res.headersSent) return void res.destroy()
    if (seconds !== undefined) {
      res.statusCode = 503
      return sendDocument(res, { ...headers.notice, 'Retry-After': String(seconds) }, busy(seconds))
    }
    res.statusCode = 500
    sendDocument(res, headers.notice, internalError(referenceOf(req)))
  }

  return async (
    route: { kind: Kind; name: string; domain?: string },
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.statusCode = 405
      sendDocument(res, { ...headers.notice, Allow: 'GET, HEAD' }, methodNotAllowed(req.method ?? ''))
      return drain(req)
    }
    if (pathOf(req) === PAGE_SCRIPT_PATH && RUN_PAGES.has(route.kind)) return sendPageScript(res)
    try {
      await handlers[route.kind](route.name, req, res, route.domain ?? null)
    } catch (error) {
      fail(error, req, res)
    }
  }
}
