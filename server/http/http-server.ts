import {
  createServer,
  type IncomingMessage,
  maxHeaderSize,
  type RequestListener,
  type Server,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { routeByHost } from '../../facades/http/hosts.ts'
import { strictTransportHeaders } from '../../facades/http/strict-transport.ts'
import { malformedRequest } from '../../facades/site/documents/notices.ts'
import { headers } from '../../facades/site/headers.ts'
import type { Addresses } from '../../routers/api/addresses.ts'
import type { Core, VerifiedDomains } from '../../routers/api/context.ts'
import { Problem, problemBody } from '../../routers/api/problem.ts'
import { answerInTurn } from './answer-in-turn.ts'

/** How long the client of a refused CONNECT request may keep its connection open, in ms. */
const CLOSE_TIMEOUT = 5_000

/**
 * Creates the HTTP server. Malformed requests, which Node would answer with an empty response, get an error page on
 * content domains and an error in the format of the APIs elsewhere. Requests with an absolute-form target are answered
 * like any other. Each connection's requests are handled one at a time.
 */
export const createHttpServer = (
  listener: RequestListener,
  { addresses, verifiedDomains }: Pick<Core, 'addresses' | 'verifiedDomains'>,
): Server => {
  const refusalOf = refusals(addresses, verifiedDomains)
  // Node would answer a missing Host header with an empty 400.
  const server = createServer({ requireHostHeader: false }, (req, res) => {
    const hosts = hostsOf(req)
    convertToOriginForm(req)
    const detail = hostError(req, hosts.length) ?? targetError(req)
    if (detail !== null) {
      const { headers, body } = refusalOf(hosts, detail)
      return void res.writeHead(400, headers).end(body)
    }
    listener(req, res)
  })
  answerInTurn(server)
  // By default Node answers `Expect: 100-continue` itself, and clients would send bodies that are then refused.
  server.on('checkContinue', (req, res) => server.emit('request', req, res))
  // HTTP lets a server ignore expectations other than `100-continue`. Node would answer them with an empty 417.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))

  // By default, when a CONNECT request arrives, Node sends no response and closes the connection.
  server.on('connect', ({ rawHeaders }, socket: Socket) => {
    socket.on('error', () => {})
    socket.end(
      rawResponse('400 Bad Request', refusalOf(hostsOf({ rawHeaders }), 'This server is not a proxy.')),
    )
    // Node has detached its parser and its timeouts. Without a reader, the client's end would never be noticed.
    socket.resume().setTimeout(CLOSE_TIMEOUT, () => socket.destroy())
  })

  const isResponding = trackResponses(server)
  server.on('clientError', (error: ParserError, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isResponding(socket)) return void socket.destroy()
    socket.end(
      error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? rawResponse('408 Request Timeout', TIMEOUT)
        : rawResponse('400 Bad Request', refusalOf(hostsIn(error.rawPacket), detailOf(error))),
    )
  })
  return server
}

/** An error of Node's HTTP parser. */
interface ParserError extends Error {
  code?: string
  /** Set by the parser: what is wrong, in a few words. */
  reason?: string
  /** Set by the parser: the part of the request that had arrived. */
  rawPacket?: Buffer
}

/** A complete response to a request that is refused before it reaches a facade. */
interface Refusal {
  headers: Record<string, string | number>
  body: string
}

const refusal = (body: string, given: Record<string, string>): Refusal => ({
  headers: {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...given,
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
  },
  body,
})

/** Plain text, because the headers have not arrived: without the host, the format of the response is unknown. */
const TIMEOUT = refusal('The request took too long to arrive.\n', {
  'Content-Type': 'text/plain; charset=utf-8',
})

/**
 * Returns a function that explains what is wrong with a request, in the format of the facade that serves its host. There
 * are only a few explanations, so each response is created once: malformed requests must cost less than valid ones.
 */
const refusals = (addresses: Addresses, domains: Pick<VerifiedDomains, 'subdomainOf'>) => {
  const routeOf = routeByHost(addresses, domains)
  const isContent = (host: string) => routeOf(host.replace(/:\d+$/, '')).kind !== 'main'
  const secureTransport = strictTransportHeaders(addresses)
  const pages = createdOnce(detail =>
    refusal(malformedRequest(detail), {
      ...headers.notice,
      ...secureTransport({ kind: 'site' }),
      'Content-Type': 'text/html; charset=utf-8',
    }),
  )
  const problems = createdOnce(detail =>
    refusal(JSON.stringify(problemBody(new Problem('invalid_json', { detail }), addresses.docsUrl)), {
      ...secureTransport({ kind: 'main' }),
      'Content-Type': 'application/problem+json; charset=utf-8',
    }),
  )
  return (hosts: string[], detail: string): Refusal =>
    hosts.length > 0 && hosts.every(isContent) ? pages(detail) : problems(detail)
}

const createdOnce = (create: (detail: string) => Refusal) => {
  const created = new Map<string, Refusal>()
  return (detail: string): Refusal => {
    const known = created.get(detail) ?? create(detail)
    created.set(detail, known)
    return known
  }
}

const rawResponse = (status: string, { headers, body }: Refusal): string =>
  [
    `HTTP/1.1 ${status}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')

const detailOf = ({ code, reason }: ParserError): string =>
  code === 'HPE_HEADER_OVERFLOW'
    ? `The request line and headers can have at most ${maxHeaderSize} bytes.`
    : `The request is not valid HTTP${reason ? ` (${reason})` : ''}.`

/** The hosts in the headers of a request that could not be parsed. */
const hostsIn = (packet: Buffer | undefined): string[] => {
  const [head = ''] = (packet ?? Buffer.alloc(0)).toString('latin1').split('\r\n\r\n', 1)
  return [...head.matchAll(/\r\nhost:[ \t]*([^\s]*)/gi)].map(([, host]) => host!)
}

/** The values of all Host headers. */
const hostsOf = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === 'host')

/** Returns what is wrong with the Host header, or null (RFC 9112, 3.2). */
const hostError = ({ httpVersion }: IncomingMessage, count: number): string | null => {
  if (count > 1) return 'The request has more than one Host header.'
  return count === 0 && httpVersion === '1.1' ? 'The request has no Host header.' : null
}

/** Returns what is wrong with the request target, or null. `*` asks about the server itself (RFC 9112, 3.2). */
const targetError = ({ url = '' }: IncomingMessage): string | null =>
  url.startsWith('/') || url === '*'
    ? null
    : 'The request target is neither a path nor an address of this service.'

/** Rewrites an absolute-form target to a path. Its host replaces the Host header (RFC 9112, 3.2.2). */
const convertToOriginForm = (req: IncomingMessage): void => {
  const parts = /^https?:\/\/([^/?#]+)(.*)$/i.exec(req.url ?? '')
  if (!parts) return
  const [, host, target] = parts
  req.headers.host = host!
  req.url = target!.startsWith('/') ? target! : `/${target}`
}

/**
 * Tracks responses. Returns a function that says whether a socket is in the middle of a response. If so, the server
 * must not send an error response on the socket. The error response would become part of the unfinished response.
 */
const trackResponses = (server: Server) => {
  const responses = new WeakMap<Duplex, { headersSent: boolean; writableFinished: boolean }>()
  server.on('request', (req, res) => void responses.set(req.socket, res))
  return (socket: Duplex): boolean => {
    const response = responses.get(socket)
    return response?.headersSent === true && !response.writableFinished
  }
}
