import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../routers/access/network.ts'

/** Limits of the connections of one process. */
export interface ConnectionLimits {
  /** Connections at once. */
  total: number
  /** Connections at once of one client network; proxies that are trusted are exempt. */
  perClient: number
  /** Bytes of responses that wait for slow readers. */
  pendingBytes: number
  /** Milliseconds without progress in either direction after which a connection is closed. */
  idle: number
}

/** Milliseconds between two looks at slow readers. */
const LOOK_EVERY = 250

/** Milliseconds that requests under way may take once the service stops. */
const DRAIN = 10_000

/**
 * Bounds what connections can hold of the process: their number, in total and by client network; their idleness,
 * reading and writing; and the memory of responses that nobody takes.
 *
 * @param isExempt whether an address belongs to a trusted proxy, behind which many clients stand
 * @returns stops taking requests, answers those under way with `Connection: close`, and resolves when all are done
 */
export const limitConnections = (
  server: Server,
  limits: ConnectionLimits,
  isExempt: (address: string) => boolean,
): { stop(): Promise<void> } => {
  const sockets = new Set<Socket>()
  const byClient = new Map<string, number>()
  const responses = new Set<ServerResponse>()
  let isStopping = false

  server.maxConnections = limits.total
  server.headersTimeout = 15_000
  // Bodies are bounded by their progress where they are read, not by one clock for small and large ones.
  server.requestTimeout = 0
  // Node restarts this clock whenever a queued write makes progress, so slow readers that read are safe.
  server.timeout = limits.idle

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address !== undefined && !isExempt(address)) {
      const client = networkOf(address).narrow
      const open = (byClient.get(client) ?? 0) + 1
      if (open > limits.perClient) {
        socket.destroy()
        return
      }
      byClient.set(client, open)
      socket.once('close', () => {
        const left = byClient.get(client)! - 1
        if (left === 0) byClient.delete(client)
        else byClient.set(client, left)
      })
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  server.prependListener('request', (_req: IncomingMessage, res: ServerResponse) => {
    if (isStopping) res.shouldKeepAlive = false
    responses.add(res)
    res.once('close', () => responses.delete(res))
  })

  const timer = setInterval(() => shedSlowReaders(sockets, limits.pendingBytes), LOOK_EVERY).unref()

  const stop = () =>
    new Promise<void>(resolve => {
      isStopping = true
      const deadline = setTimeout(() => server.closeAllConnections(), DRAIN)
      for (const res of responses) res.shouldKeepAlive = false
      server.close(() => {
        clearTimeout(deadline)
        clearInterval(timer)
        resolve()
      })
      server.closeIdleConnections()
    })

  return { stop }
}

/** Closes the connections with most bytes waiting until all of them together are below the limit. */
const shedSlowReaders = (sockets: ReadonlySet<Socket>, limit: number) => {
  let pending = 0
  for (const socket of sockets) pending += socket.writableLength
  if (pending <= limit) return
  for (const socket of [...sockets].sort((a, b) => b.writableLength - a.writableLength)) {
    if (pending <= limit) return
    pending -= socket.writableLength
    socket.destroy()
  }
}
