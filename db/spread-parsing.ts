import type { Readable } from 'node:stream'
import type { ClientBase } from 'pg'

/**
 * Number of bytes of results to parse before letting other requests run. If the rows are short, parsing this many bytes
 * takes a few milliseconds.
 */
const BYTES_PER_TURN = 131_072

/**
 * Spreads the parsing of large results over turns of the event loop. Otherwise a turn parses everything that has
 * arrived, up to two megabytes.
 */
export const spreadParsing = (client: ClientBase): void => {
  const { stream } = (client as unknown as { connection: { stream: Readable } }).connection
  let bytes = 0
  const continueReading = () => {
    bytes = 0
    stream.resume()
  }
  stream.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes < BYTES_PER_TURN || stream.isPaused()) return
    stream.pause()
    setImmediate(continueReading)
  })
}
