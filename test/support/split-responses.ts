import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Bytes before the body of a message: one for its type, and four for its length, which does not count the type. */
const HEADER = 5

/**
 * Starts a proxy in front of PostgreSQL that delivers the server's messages one at a time. Without it, the responses
 * to statements that were sent together nearly always arrive together.
 *
 * @param databaseUrl a database on a server without TLS
 * @returns the URL of the database behind the proxy, and the pause in ms after each message, which can be changed
 */
export const startSplittingProxy = async (databaseUrl: string) => {
  const url = new URL(databaseUrl)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  const connect = () => (folder ? net.connect(`${folder}/.s.PGSQL.${port}`) : net.connect(port, url.hostname))
  const sockets = new Set<net.Socket>()

  const server = net.createServer({ noDelay: true }, client => {
    const upstream = connect()
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    client.pipe(upstream)
    // `deliver` fails when the proxy stops.
    deliver(upstream, client, () => proxy.delay).catch(() => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as net.AddressInfo).port)
  const proxy = {
    url: url.href,
    delay: 2,
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return proxy
}

const deliver = async (from: net.Socket, to: net.Socket, delay: () => number) => {
  let received = Buffer.alloc(0)
  for await (const part of from as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, part])
    for (let end = endOfMessage(received); end <= received.length; end = endOfMessage(received)) {
      to.write(received.subarray(0, end))
      received = received.subarray(end)
      await sleep(delay())
    }
  }
  to.end()
}

/** Returns the offset at which the first message ends, which can be larger than the number of received bytes. */
const endOfMessage = (received: Buffer) =>
  received.length < HEADER ? Number.POSITIVE_INFINITY : 1 + received.readUInt32BE(1)
