import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Faults of a connection to a server. */
export interface Faults {
  /** Bytes of a request after which the connection is cut. */
  cutRequestAfter?: number
  /** Number of connections that are cut within a request; by default all. */
  cutRequests?: number
  /** Bytes of a response after which the connection is cut. */
  cutResponseAfter?: number
  /** Delay of each piece of a response, in ms. */
  delay?: number
}

/** Forwards connections to a port of this machine, with faults that can be changed at any time. */
export const startFaultyProxy = async (target: number) => {
  const sockets = new Set<Socket>()
  let faults: Faults = {}
  let requestsToCut = Infinity
  const server = createServer(client => {
    const upstream = connect(target, '127.0.0.1')
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', cut).on('close', () => sockets.delete(socket))
    }
    forward(
      client,
      upstream,
      sent => sent > (faults.cutRequestAfter ?? Infinity) && requestsToCut-- > 0,
    ).catch(cut)
    forward(
      upstream,
      client,
      sent => sent > (faults.cutResponseAfter ?? Infinity),
      () => faults.delay ?? 0,
    ).catch(cut)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Sets the faults of all connections, open ones too. */
    set: (next: Faults) => {
      faults = next
      requestsToCut = next.cutRequests ?? Infinity
    },
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Forwards the data of one direction. @throws when the connection should be cut */
const forward = async (
  from: Socket,
  to: Socket,
  isCut: (sent: number) => boolean,
  delay: () => number = () => 0,
) => {
  let sent = 0
  for await (const piece of from as AsyncIterable<Buffer>) {
    sent += piece.length
    if (isCut(sent)) throw new Error('cut')
    if (delay() > 0) await sleep(delay())
    to.write(piece)
  }
  to.end()
}
