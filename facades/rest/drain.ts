import type { IncomingMessage } from 'node:http'

/** Bytes and milliseconds that the rest of a refused body is read for. */
const MOST_BYTES = 64 * 1024 * 1024
const LONGEST = 10_000

/**
 * Reads and drops what is left of a request that was answered early, so that the caller sees the answer and
 * not a reset; then, or when it takes too long, lets go of the connection (decision 1).
 */
export const drain = (req: IncomingMessage): void => {
  if (req.complete || req.destroyed) return
  let size = 0
  const timer = setTimeout(() => req.destroy(), LONGEST).unref()
  req.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MOST_BYTES) req.destroy()
  })
  req.on('close', () => clearTimeout(timer))
  req.on('error', () => {})
  req.resume()
}
