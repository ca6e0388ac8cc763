import type { IncomingMessage } from 'node:http'

/** Limits on draining, in bytes and milliseconds. */
const MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT = 10_000

/**
 * Discards the rest of a request that got an early response, so that the client reads the response instead of seeing a
 * reset. Closes the connection when the rest exceeds the limits.
 */
export const drain = (req: IncomingMessage): void => {
  if (req.complete || req.destroyed) return
  let size = 0
  const timer = setTimeout(() => req.destroy(), TIMEOUT).unref()
  req.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_BYTES) req.destroy()
  })
  req.on('close', () => clearTimeout(timer))
  req.on('error', () => {})
  req.resume()
}
