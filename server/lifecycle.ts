/** Registers a step to run when the service stops. */
export type OnStop = (step: () => unknown) => void

/** The steps that stop a service, even one that has started only partly. */
export class Closing {
  readonly #steps: (() => unknown)[] = []
  #hasBegun = false

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  readonly onStop: OnStop = step => void this.#steps.push(step)

  /** Runs the steps, the last registered first. Idempotent. */
  async close(): Promise<void> {
    this.#hasBegun = true
    for (const step of this.#steps.splice(0).toReversed()) await step()
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
