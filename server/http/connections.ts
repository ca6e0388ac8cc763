import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../routers/api/rate-limit.ts'

/** Limits of the connections of one process. */
export interface ConnectionLimits {
  /** Maximum number of open connections. */
  total: number
  /** Maximum number of open connections per client network. Trusted proxies are exempt. */
  perClient: number
  /** Maximum bytes of unsent responses. */
  pendingBytes: number
  /** A connection without progress in either direction is closed after this many milliseconds. */
  idle: number
  /** Milliseconds that open requests get to finish when the service stops. */
  stop: number
}

/** The connections of an HTTP server. */
export interface Connections {
  /** Number of open connections. */
  readonly open: number
  /** Bytes of responses that clients have not read yet. */
  readonly unsentBytes: number
  /** Connections closed because of a limit, since startup. */
  readonly refused: number
  /**
   * Refuses new connections, responds to open requests with `Connection: close`, and resolves when all
   * connections are closed.
   *
   * @returns the number of connections that were closed because their request did not end in time
   */
  stop(): Promise<number>
}

/** Milliseconds between two checks for slow readers. */
const CHECK_INTERVAL = 250

/** How long the service waits for the headers of a request when it stops, in ms. */
const SHUTDOWN_HEADERS_TIMEOUT = 1_000

/**
 * Limits the number of connections: all connections together, and the connections of each client network. Also limits
 * how long a connection can be idle, and how much memory the unsent responses use.
 *
 * When the limit for all connections is reached, a new connection replaces a connection of the client network that has
 * the most connections. A new connection from that network itself is refused.
 *
 * @param isExempt whether an address belongs to a trusted proxy; many clients share the address of a proxy
 */
export const limitConnections = (
  server: Server,
  limits: ConnectionLimits,
  isExempt: (address: string) => boolean,
): Connections => {
  /**
   * The open connections. `acceptedAt` is the time when the connection was accepted. `forget` removes the connection
   * from `sockets` and from `byClient`.
   */
  const sockets = new Map<Socket, { acceptedAt: number; forget: () => void }>()
  /** The open connections of each client network, oldest first. */
  const byClient = new Map<string, Set<Socket>>()
  const responses = new Set<ServerResponse>()
  let isStopping = false
  let refused = 0

  server.headersTimeout = 15_000
  // No limit here: the code that reads bodies checks their progress, because one limit would not fit both small and
  // large bodies.
  server.requestTimeout = 0
  // Node restarts this timer whenever a write makes progress, so slow but active readers are not cut off.
  server.timeout = limits.idle

  const close = (socket: Socket) => {
    refused++
    socket.destroy()
  }
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    const client = address === undefined || isExempt(address) ? undefined : networkOf(address).narrow
    const open = client === undefined ? 0 : (byClient.get(client)?.size ?? 0)
    if (client !== undefined && open >= limits.perClient) return close(socket)
    if (sockets.size >= limits.total) {
      const replaced = oldestOfLargest(byClient.values(), open + 1, workedOn(responses))
      close(replaced ?? socket)
      if (!replaced) return
      // The replaced socket emits `close` only in a later turn of the event loop. Forget it now, so that it is not
      // replaced a second time.
      sockets.get(replaced)?.forget()
    }
    const own = client === undefined ? undefined : (byClient.get(client) ?? new Set<Socket>()).add(socket)
    if (client !== undefined && own) byClient.set(client, own)
    const forget = () => {
      sockets.delete(socket)
      if (client !== undefined && own?.delete(socket) && own.size === 0) byClient.delete(client)
    }
    sockets.set(socket, { acceptedAt: performance.now(), forget })
    socket.once('close', forget)
  })

  server.prependListener('request', (_req: IncomingMessage, res: ServerResponse) => {
    if (isStopping) res.shouldKeepAlive = false
    responses.add(res)
    res.once('close', () => responses.delete(res))
  })
  server.on('timeout', (socket: Socket) => {
    const isWaitingForUs = responses.values().some(res => res.socket === socket && isWorkingOn(res))
    if (!isWaitingForUs) socket.destroy()
  })

  const timer = setInterval(() => {
    refused += shedSlowReaders(sockets.keys(), limits.pendingBytes)
  }, CHECK_INTERVAL).unref()

  const stop = () =>
    new Promise<number>(resolve => {
      isStopping = true
      let cut = 0
      const deadline = setTimeout(() => {
        cut = sockets.size
        server.closeAllConnections()
      }, limits.stop)
      const headersDeadline = setTimeout(() => {
        const busy = new Set([...responses].map(res => res.socket))
        for (const socket of sockets.keys()) if (!busy.has(socket)) socket.destroy()
      }, SHUTDOWN_HEADERS_TIMEOUT)
      for (const res of responses) res.shouldKeepAlive = false
      server.close(() => {
        clearTimeout(deadline)
        clearTimeout(headersDeadline)
        clearInterval(timer)
        resolve(cut)
      })
      server.closeIdleConnections()
      // Node does not count a connection as idle before its first request, so close such connections here. Keep new
      // ones: their first request may be on its way.
      const newest = performance.now() - SHUTDOWN_HEADERS_TIMEOUT
      for (const [socket, { acceptedAt }] of sockets)
        if (socket.bytesRead === 0 && acceptedAt < newest) socket.destroy()
    })

  return {
    get open() {
      return sockets.size
    },
    get unsentBytes() {
      return unsentBytesOf(sockets.keys())
    },
    get refused() {
      return refused
    },
    stop,
  }
}

/** The connections whose clients are waiting for this server. */
const workedOn = (responses: Iterable<ServerResponse>): Set<Socket | null> =>
  new Set(
    Iterator.from(responses)
      .filter(isWorkingOn)
      .map(res => res.socket),
  )

/**
 * Finds a connection to replace, so that a few networks cannot shut out all others. Takes the client network with the
 * most connections, and returns its oldest connection that is not busy; undefined if all of them are busy, or if the
 * network has at most `count` connections.
 */
const oldestOfLargest = (
  networks: Iterable<Set<Socket>>,
  count: number,
  busy: ReadonlySet<Socket | null>,
): Socket | undefined => {
  const largest = Iterator.from(networks).reduce((a, b) => (b.size > a.size ? b : a), new Set<Socket>())
  if (largest.size <= count) return undefined
  return largest.values().find(socket => !busy.has(socket))
}

/**
 * Whether the client is waiting for this server: for permission to send a request body, or for the response. Such a
 * client needs no idle timeout, because the queues already limit how long the client waits.
 */
const isWorkingOn = ({ req, headersSent }: ServerResponse): boolean =>
  !headersSent && (req.complete || !req.readableFlowing)

const unsentBytesOf = (sockets: Iterable<Socket>): number =>
  Iterator.from(sockets).reduce((sum, socket) => sum + socket.writableLength, 0)

/**
 * Closes connections until the unsent bytes of the other connections are within the limit. Closes the connections with
 * the most unsent bytes first.
 *
 * @returns the number of closed connections
 */
const shedSlowReaders = (open: Iterable<Socket>, limit: number): number => {
  const sockets = [...open]
  let pending = unsentBytesOf(sockets)
  if (pending <= limit) return 0
  let closed = 0
  for (const socket of sockets.sort((a, b) => b.writableLength - a.writableLength)) {
    if (pending <= limit) break
    pending -= socket.writableLength
    socket.destroy()
    closed++
  }
  return closed
}
