import type { Writable } from 'node:stream'
import type { ClientBase } from 'pg'

const corked = new WeakSet<Writable>()

/**
 * Delays everything sent on a connection for a moment, so that several statements take one system call and arrive
 * together.
 *
 * @param until `turn`: until the running code waits; `loop`: until all requests that have arrived are handled
 */
export const sendTogether = (client: ClientBase, until: 'turn' | 'loop'): void => {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  if (corked.has(stream)) return
  corked.add(stream)
  stream.cork()
  if (until === 'turn') process.nextTick(release, stream)
  else setImmediate(release, stream)
}

const release = (stream: Writable): void => {
  corked.delete(stream)
  stream.uncork()
}
