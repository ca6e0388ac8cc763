import type { IncomingMessage } from 'node:http'

/** Limits on draining one request, in bytes and milliseconds. */
const MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT = 10_000

/**
 * Limits on draining all requests together. In each turn of the event loop, libuv accepts one connection and
 * reads up to 2 MiB from every busy connection. A hundred bodies that are read at full speed would therefore
 * delay every new connection by a second. Each chunk also leaves garbage outside the heap, and 64 MiB of such
 * garbage triggers a full collection.
 */
const PACE = {
  /** Number of requests that are read at the same time. */
  requests: 4,
  /** Bytes that are read from a request before another request gets a turn. */
  turn: 131_072,
  /** Bytes that are read from all requests in an interval. */
  bytes: 131_072,
  /** Length of the interval, in milliseconds. */
  interval: 5,
}

/** Requests that wait for their turn, the next one first. */
const waiting = new Set<IncomingMessage>()

/** For each request that is being read, the bytes read in this turn, and in this interval. */
const reading = new Map<IncomingMessage, { inTurn: number; inInterval: number }>()

/** Bytes that may still be read in this interval. */
let left = PACE.bytes
let timer: NodeJS.Timeout | undefined

const startWaiting = () => {
  for (const req of waiting) {
    if (left <= 0 || reading.size >= PACE.requests) return
    waiting.delete(req)
    reading.set(req, { inTurn: 0, inInterval: 0 })
    req.resume()
  }
}

const endTurn = (req: IncomingMessage) => {
  reading.delete(req)
  req.pause()
  waiting.add(req)
}

/**
 * Ends the turns of requests that sent nothing for an interval. Otherwise a few silent clients would block all others.
 */
const endSilentTurns = () => {
  for (const [req, read] of reading) {
    if (read.inInterval === 0) endTurn(req)
    read.inInterval = 0
  }
}

const startInterval = () => {
  left = PACE.bytes
  if (waiting.size > 0) endSilentTurns()
  if (waiting.size + reading.size === 0) {
    clearInterval(timer)
    timer = undefined
  }
  startWaiting()
}

const onRead = (req: IncomingMessage, bytes: number) => {
  left -= bytes
  const read = reading.get(req)
  if (read) {
    read.inTurn += bytes
    read.inInterval += bytes
    if (read.inTurn >= PACE.turn) endTurn(req)
  }
  if (left <= 0) for (const each of reading.keys()) endTurn(each)
  startWaiting()
}

/**
 * Keeps the connection open until the request has been read. Otherwise Node.js closes it directly after the response if
 * the client asked for `Connection: close`, and a client that is still sending gets an error instead of the response.
 */
const closeAfter = (req: IncomingMessage) => {
  const { socket } = req
  const destroySoon = socket.destroySoon.bind(socket)
  let isDue = false
  socket.destroySoon = () => {
    isDue = true
  }
  req.on('close', () => {
    socket.destroySoon = destroySoon
    if (isDue) destroySoon()
  })
}

/**
 * Discards the rest of a request that got an early response, so that the client reads the response instead of seeing a
 * reset. If there are many such requests, they take turns. Closes the connection when the rest exceeds the limits.
 */
export const drain = (req: IncomingMessage): void => {
  if (req.complete || req.destroyed) return
  let size = 0
  closeAfter(req)
  const deadline = setTimeout(() => req.destroy(), TIMEOUT).unref()
  req.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_BYTES) req.destroy()
    else onRead(req, chunk.length)
  })
  req.on('close', () => {
    clearTimeout(deadline)
    waiting.delete(req)
    reading.delete(req)
    startWaiting()
  })
  req.on('error', () => {})
  req.pause()
  waiting.add(req)
  timer ??= setInterval(startInterval, PACE.interval)
  startWaiting()
}
