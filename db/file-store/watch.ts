import { setTimeout as sleep } from 'node:timers/promises'
import type { FileStore } from './file-store.ts'

/** Time in ms between two probes, while the store responds and while it does not. */
const INTERVAL = { up: 5_000, down: 1_000 }

/** Number of failed probes in a row after which the store counts as down. */
const FAILURES = 2

/**
 * Probes the file store and sets its `isUp`, so that requests fail immediately while it is down.
 *
 * @param onChange called when the store stops responding, with the reason, and when it responds again
 */
export const watchFileStore = (
  store: FileStore,
  onChange: (isUp: boolean, reason?: unknown) => void,
): { stop: () => void } => {
  const stopping = new AbortController()
  let failures = 0
  const check = async () => {
    const before = store.counts.answers
    try {
      await store.probe()
      failures = 0
    } catch (error) {
      // A slow probe can fail for an outage that is over: the store has answered other requests in the meantime.
      failures = store.counts.answers > before ? 0 : failures + 1
      if (!store.isUp || failures < FAILURES || stopping.signal.aborted) return
      store.isUp = false
      onChange(false, error)
      return
    }
    if (store.isUp) return
    store.isUp = true
    onChange(true)
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      await check()
      const pause = failures > 0 ? INTERVAL.down : INTERVAL.up
      await sleep(pause, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
    }
  }
  void run()
  // Stopping must not wait for a probe of a store that hangs.
  return { stop: () => stopping.abort() }
}
