import type { Writable } from 'node:stream'
import type { ClientBase } from 'pg'

/** A group of data that a connection sends together, with one system call. The object only identifies the group. */
export type Batch = Readonly<{ until: 'turn' | 'loop' }>

const corked = new WeakMap<Writable, Batch>()

/**
 * Delays everything sent on a connection for a moment, so that several statements take one system call and arrive
 * together.
 *
 * @param until `turn`: until the running code awaits something; `loop`: until the event loop has handled all requests
 * that have arrived
 * @returns the batch; until it is sent, further calls return the same batch
 */
export const sendTogether = (client: ClientBase, until: Batch['until']): Batch => {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  const waiting = corked.get(stream)
  if (waiting) return waiting
  const batch = { until }
  corked.set(stream, batch)
  stream.cork()
  if (until === 'turn') process.nextTick(release, stream)
  else setImmediate(release, stream)
  return batch
}

const release = (stream: Writable): void => {
  corked.delete(stream)
  stream.uncork()
}
