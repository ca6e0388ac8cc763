import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The end of a request's headers, and of a chunked body. */
const END = Buffer.from('\r\n\r\n')

const EMPTY = Buffer.alloc(0)

/**
 * Number of listeners of an event of a response from which Node warns of a leak. About a dozen parts of the service wait
 * for the end of a response, and Node would warn at eleven.
 */
const LISTENERS = 20

/**
 * Handles the requests of each connection one at a time. While a request is being answered, what the client has sent
 * after it stays unparsed, and nothing more is read. Without this, Node parses and emits all requests of a connection
 * at once: a client that sends thousands of short requests without reading responses would keep the process busy for
 * minutes.
 *
 * Node's own listener for data parses a whole packet, so this function takes its place and gives it the packet in
 * pieces. A piece ends where a request ends or may end.
 */
export const answerInTurn = (server: Server): void => {
  /** The response to the latest request of each connection. */
  const responses = new WeakMap<Socket, ServerResponse>()
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    responses.set(req.socket, res)
    res.setMaxListeners(LISTENERS)
  })
  server.on('connection', (socket: Socket) => {
    const [parse] = socket.listeners('data') as ((data: Buffer) => void)[]
    if (!parse) throw new Error('Node.js does not listen for the data of a connection')
    const splitter = new RequestSplitter()
    let isHeld = false

    const hold = (rest: Buffer, res: ServerResponse) => {
      socket.pause()
      socket.unshift(rest)
      if (isHeld) return
      isHeld = true
      // Continue in a later turn of the event loop, so that other connections get their turn first.
      const release = () =>
        void setImmediate(() => {
          isHeld = false
          socket.resume()
        })
      if (res.closed) socket.once('drain', release)
      else res.once('close', release)
    }
    const onData = (data: Buffer) => {
      let rest = data
      while (rest.length > 0) {
        // The connection is being closed: its further requests get no response.
        if (socket.destroyed || socket.writableEnded) return
        const res = responses.get(socket)
        const isBetween = res === undefined || res.req.complete
        if (res && isBetween && (isHeld || !res.closed || socket.writableNeedDrain)) return hold(rest, res)
        const length = isBetween ? splitter.head(rest) : splitter.body(rest, res.req)
        // The request may be complete only after this piece, so the loop looks again.
        const piece = length === rest.length ? rest : rest.subarray(0, length)
        rest = rest.subarray(length)
        parse(piece)
      }
    }
    socket.off('data', parse)
    socket.on('data', onData)
  })
  // After CONNECT, which is refused, nothing parses the connection's data.
  server.on('connect', (_req, socket) => void socket.removeAllListeners('data'))
}

/** Finds where the requests of one connection end. */
class RequestSplitter {
  /** The last bytes before the next piece, if they can be the begin of {@link END}. */
  #before = EMPTY
  /** Bytes of the current request's body so far. */
  #bodyBytes = 0

  /** Returns the number of bytes up to the end of the headers, or of all bytes. */
  head(data: Buffer): number {
    this.#bodyBytes = 0
    return this.#untilEnd(data)
  }

  /** Returns the number of bytes up to where the body ends or may end, or of all bytes. */
  body(data: Buffer, { headers }: IncomingMessage): number {
    const declared = headers['content-length']
    if (declared === undefined) return this.#untilEnd(data)
    const length = Math.min(data.length, Math.max(1, Number(declared) - this.#bodyBytes))
    this.#bodyBytes += length
    return length
  }

  #untilEnd(data: Buffer): number {
    const all = this.#before.length === 0 ? data : Buffer.concat([this.#before, data])
    const end = all.indexOf(END)
    if (end !== -1) {
      const length = end + END.length - this.#before.length
      this.#before = EMPTY
      return length
    }
    this.#before = Buffer.from(all.subarray(-(END.length - 1)))
    return data.length
  }
}
