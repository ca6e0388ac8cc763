import { setTimeout as sleep } from 'node:timers/promises'

/** Registers a step to run when the service stops. */
export type OnStop = (step: () => unknown) => void

/** The steps that stop a service, even one that has started only partly. */
export class Closing {
  readonly #steps: (() => unknown)[] = []
  readonly #patience: number
  readonly #onStuck: (step: string) => void
  #hasBegun = false

  /**
   * @param patience how long a step may take, in ms. A connection that never ends must not keep the process until somebody
   * kills it.
   * @param onStuck called with the source of a step that has not ended in time
   */
  constructor(patience: number, onStuck: (step: string) => void) {
    this.#patience = patience
    this.#onStuck = onStuck
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  readonly onStop: OnStop = step => void this.#steps.push(step)

  /** Runs the steps, the last registered first. Does not wait for a step that takes too long. Idempotent. */
  async close(): Promise<void> {
    this.#hasBegun = true
    for (const step of this.#steps.splice(0).toReversed()) {
      const ended = new AbortController()
      const late = sleep(this.#patience, 'late', { ref: false, signal: ended.signal }).catch(() => 'ended')
      if ((await Promise.race([step(), late])) === 'late') this.#onStuck(step.toString())
      ended.abort()
    }
  }
}

/**
 * Runs work in the background again and again, never twice at the same time.
 *
 * @param every interval between two runs, in ms
 * @param onError called if a run fails; the next one tries again
 * @returns `stop`, which waits for the current run
 */
export const repeat = (
  every: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop: () => Promise<unknown> } => {
  let running: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(work).catch(onError)
  }, every).unref()
  return {
    stop: () => {
      clearInterval(timer)
      return running
    },
  }
}
