import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { newId } from '../../db/id.ts'
import { routeByHost } from '../../facades/http/hosts.ts'
import type { Addresses } from '../../routers/api/addresses.ts'
import type { VerifiedDomains } from '../../routers/api/context.ts'
import { REQUEST, type RequestLine } from './log.ts'

/**
 * The reference of each request: the id under which the request is logged. Error responses contain the reference, so
 * that a reported error can be found in the log.
 */
const references = new WeakMap<object, string>()

/** Returns the reference under which a request is logged. */
export const referenceOf = (req: object): string => references.get(req) ?? 'unknown'

/** Paths of health checks and of resources that pages load: style sheets, scripts, images and fonts. */
const ROUTINE =
  /^\/(?:healthz|readyz(?:\/process)?)$|^\/admin\/@|\.(?:css|js|mjs|tsx?|map|svg|png|jpe?g|gif|webp|avif|ico|woff2?)$/

/** The secret in the path of an upload link, and in that of a preview link. */
const SECRET = /^(\/uploads\/).+|^(\/)[0-9A-Za-z]{32}.*/s

/** Returns the path of a request for the log and for traces, without secrets. */
export const pathWithoutSecrets = ({ url = '/' }: IncomingMessage): string =>
  url.replace(/\?.*/s, '').replace(SECRET, '$1$2…')

/** An id that a caller may give a request in `X-Request-Id`. Other values are not logged. */
const CALLERS_ID = /^[\w.:/+=-]{1,100}$/

/** Returns the id that the caller gave the request, for the log. */
const callersId = ({ headers }: IncomingMessage): { requestId?: string } => {
  const id = headers['x-request-id']
  return typeof id === 'string' && CALLERS_ID.test(id) ? { requestId: id } : {}
}

/** Assigns each request a reference and logs one line when its response has ended. */
export const logRequests =
  (log: Logger) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    const reference = newId()
    references.set(req, reference)
    const start = performance.now()
    const { method = 'GET' } = req
    const path = pathWithoutSecrets(req)
    const { host } = req.headers
    res.on('close', () => {
      const ms = Math.round((performance.now() - start) * 10) / 10
      const status = res.writableFinished ? res.statusCode : 'aborted'
      const isRoutine =
        (method === 'GET' || method === 'HEAD') && status !== 'aborted' && status < 400 && ROUTINE.test(path)
      const line: RequestLine = { method, host, path, status, ms, ...callersId(req) }
      log[isRoutine ? 'debug' : 'info']({ reference, ...line }, REQUEST)
    })
  }

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Facades by the first segment of their paths; all other paths belong to the main site. */
const FACADES = new Set([
  'v1',
  'mcp',
  'user-mcp',
  'trpc',
  'transfer',
  'uploads',
  'oauth',
  'admin',
  'docs',
  'healthz',
  'readyz',
])

/** The method of a request, or `other` if it is uncommon, so that callers cannot add names to metrics and traces. */
export const knownMethod = ({ method = '' }: IncomingMessage): string =>
  METHODS.has(method) ? method : 'other'

/** Names the facade of a request: by host name on content domains, otherwise by the first segment of the path. */
export const facadeByRequest = (addresses: Addresses, domains: Pick<VerifiedDomains, 'subdomainOf'>) => {
  const routeOf = routeByHost(addresses, domains)
  return ({ headers, url = '/' }: IncomingMessage): string => {
    const { kind } = routeOf(headers.host?.replace(/:\d+$/, ''))
    if (kind !== 'main') return kind
    const segment = /^\/([a-z0-9-]*)/.exec(url)?.[1] ?? ''
    return FACADES.has(segment) ? segment : 'main'
  }
}
