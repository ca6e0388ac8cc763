import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { HostRoute } from '../../facades/http/hosts.ts'
import { isAsk } from './ask.ts'
import { addressOf, hostnameOf, type IsTrusted } from './forwarded.ts'
import { HEALTH, sendHealth } from './health.ts'
import { RequestTurns } from './request-turns.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** The handlers to choose from. */
export interface Handlers {
  /** Called first with every request. */
  log: (req: IncomingMessage, res: ServerResponse) => void
  /** Returns the id of a request in the log. */
  referenceOf: (req: IncomingMessage) => string
  hostRoute: (hostname: string | undefined) => HostRoute
  secureTransport: (route: HostRoute, res: ServerResponse) => void
  isTrusted: IsTrusted
  /** Tells a proxy whether a name may get a certificate. */
  ask: RequestListener
  /** Serves the content domains. */
  content: (
    route: Exclude<HostRoute, { kind: 'main' }>,
    req: IncomingMessage,
    res: ServerResponse,
  ) => Promise<void>
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

/** Paths of the APIs, whose responses all have the reference of the request. */
const APIS = /^\/(?:v1|mcp|user-mcp|uploads)(?:[/?]|$)/

/**
 * Passes requests for content, the API and the tool servers straight to their handler. Express would offer each of them
 * to every facade in turn, which takes as long as the call itself. The requests of each network take turns.
 */
export const dispatcher = ({
  log,
  referenceOf,
  hostRoute,
  secureTransport,
  isTrusted,
  ask,
  content,
  rest,
  tools,
  others,
  onFault,
}: Handlers): RequestListener => {
  const turns = new RequestTurns()

  const serve = (route: HostRoute, req: IncomingMessage, res: ServerResponse) => {
    if (route.kind !== 'main')
      return void content(route, req, res).catch((error: unknown) => onFault(error, req, res))
    const url = req.url ?? '/'
    const isRest = url.startsWith(REST) && (url.length === REST.length || /[/?]/.test(url[REST.length]!))
    const handler = isRest ? rest : req.method === 'POST' ? tools.get(url)?.serve : undefined
    if (!handler) return others(req, res)
    if (isRest) req.url = withoutPrefix(url)
    handler(req, res).catch((error: unknown) => onFault(error, req, res))
  }

  return (req, res) => {
    log(req, res)
    const route = hostRoute(hostnameOf(req, isTrusted))
    secureTransport(route, res)
    if (route.kind === 'main' && APIS.test(req.url ?? '/')) res.setHeader('X-Request-Id', referenceOf(req))
    // These need no turn: the responses are in memory.
    if (route.kind === 'main' && req.url === HEALTH && req.method === 'GET') return sendHealth(req, res)
    if (route.kind === 'main' && isAsk(req)) return ask(req, res)
    turns.take(addressOf(req, isTrusted), res, () => serve(route, req, res))
  }
}

const withoutPrefix = (url: string): string => {
  const rest = url.slice(REST.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
