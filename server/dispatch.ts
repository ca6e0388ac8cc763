import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { HostRoute } from '../facades/http/hosts.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** The handlers to choose from. */
export interface Handlers {
  /** Called first with every request. */
  log: (req: IncomingMessage, res: ServerResponse) => void
  hostRoute: (hostname: string | undefined) => HostRoute
  secureTransport: (route: HostRoute, res: ServerResponse) => void
  isTrusted: (address: string, hop: number) => boolean
  /** Serves the paths below `/v1`, without that prefix. */
  rest: Handler
  /** The tool servers, by path. */
  tools: ReadonlyMap<string, { serve: Handler }>
  /** Handles all other requests. */
  others: RequestListener
  /** Called with an error that a handler did not expect. */
  onFault: (error: unknown, req: IncomingMessage, res: ServerResponse) => void
}

const REST = '/v1'

/**
 * Passes requests to the API and the tool servers straight to their handler. Express would offer each of them to
 * every facade in turn, which takes as long as the call itself.
 */
export const dispatcher =
  ({ log, hostRoute, secureTransport, isTrusted, rest, tools, others, onFault }: Handlers): RequestListener =>
  (req, res) => {
    log(req, res)
    const url = req.url ?? '/'
    const isRest = url.startsWith(REST) && (url.length === REST.length || /[/?]/.test(url[REST.length]!))
    const handler = isRest ? rest : req.method === 'POST' ? tools.get(url)?.serve : undefined
    if (!handler) return others(req, res)
    const route = hostRoute(hostnameOf(req, isTrusted))
    if (route.kind !== 'main') return others(req, res)
    secureTransport(route, res)
    if (isRest) req.url = withoutPrefix(url)
    handler(req, res).catch((error: unknown) => onFault(error, req, res))
  }

const withoutPrefix = (url: string): string => {
  const rest = url.slice(REST.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Returns the requested host name as Express does: from `X-Forwarded-Host` if a trusted proxy sent it. */
const hostnameOf = (req: IncomingMessage, isTrusted: Handlers['isTrusted']): string | undefined => {
  const { host } = req.headers
  const forwarded = req.headers['x-forwarded-host'] as string | undefined
  const isForwarded = forwarded && isTrusted(req.socket.remoteAddress ?? '', 0)
  const asked = isForwarded ? forwarded.split(',', 1)[0]!.trimEnd() : host
  if (asked === undefined) return undefined
  const colon = asked.indexOf(':', asked.startsWith('[') ? asked.indexOf(']') : 0)
  return colon === -1 ? asked : asked.slice(0, colon)
}
