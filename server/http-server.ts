import {
  createServer,
  type IncomingMessage,
  maxHeaderSize,
  type RequestListener,
  type Server,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { sendProblem } from '../facades/rest/send.ts'
import { Problem, problemBody } from '../routers/core/problem.ts'

/**
 * Creates the HTTP server. Malformed requests get an error in the format of the APIs, where Node would send an empty
 * response. Requests with an absolute-form target are answered like any other.
 *
 * @param docsUrl address of the API reference
 */
export const createHttpServer = (listener: RequestListener, docsUrl: string): Server => {
  // Node would answer a missing Host header with an empty 400.
  const server = createServer({ requireHostHeader: false }, (req, res) => {
    const detail = hostError(req)
    if (detail !== null) {
      res.setHeader('Connection', 'close')
      return sendProblem(res, malformed(detail), { docsUrl, reference: 'unknown' })
    }
    convertToOriginForm(req)
    listener(req, res)
  })
  // By default Node answers `Expect: 100-continue` itself, and clients would send bodies that are then refused.
  server.on('checkContinue', (req, res) => server.emit('request', req, res))
  // HTTP lets a server ignore other expectations. Node would answer them with an empty 417.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))

  const isResponding = trackResponses(server)
  server.on('clientError', (error: ParserError, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isResponding(socket)) return void socket.destroy()
    socket.end(
      error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'
        : malformedResponse(error, docsUrl),
    )
  })
  return server
}

/** An error of Node's HTTP parser. */
interface ParserError extends Error {
  code?: string
  /** Set by the parser: what is wrong, in a few words. */
  reason?: string
}

const malformed = (detail: string) => new Problem('invalid_json', { detail })

/** Returns a whole response for a request that could not be parsed. */
const malformedResponse = ({ code, reason }: ParserError, docsUrl: string): string => {
  const detail =
    code === 'HPE_HEADER_OVERFLOW'
      ? `The request line and headers can have at most ${maxHeaderSize} bytes.`
      : `The request is not valid HTTP${reason ? ` (${reason})` : ''}.`
  const body = JSON.stringify(problemBody(malformed(detail), docsUrl))
  return [
    'HTTP/1.1 400 Bad Request',
    'Connection: close',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

/** Returns what is wrong with the Host header, or null (RFC 9112, 3.2). */
const hostError = ({ rawHeaders, httpVersion }: IncomingMessage): string | null => {
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (count > 1) return 'The request has more than one Host header.'
  return count === 0 && httpVersion === '1.1' ? 'The request has no Host header.' : null
}

/** Rewrites an absolute-form target to a path. Its host replaces the Host header (RFC 9112, 3.2.2). */
const convertToOriginForm = (req: IncomingMessage): void => {
  const parts = /^https?:\/\/([^/?#]+)(.*)$/i.exec(req.url ?? '')
  if (!parts) return
  const [, host, target] = parts
  req.headers.host = host!
  req.url = target!.startsWith('/') ? target! : `/${target}`
}

/** Tracks which sockets are in the middle of a response, where an error response would corrupt it. */
const trackResponses = (server: Server) => {
  const responses = new WeakMap<Duplex, { headersSent: boolean; writableFinished: boolean }>()
  server.on('request', (req, res) => void responses.set(req.socket, res))
  return (socket: Duplex): boolean => {
    const response = responses.get(socket)
    return response?.headersSent === true && !response.writableFinished
  }
}
