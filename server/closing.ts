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
