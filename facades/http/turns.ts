/** Lets a bounded number of pieces of work run at once; others wait in order. */
export class Turns {
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(atOnce: number, maxWaiting: number) {
    this.#free = atOnce
    this.#maxWaiting = maxWaiting
  }

  /** @returns a function that ends the turn (idempotent), or null when too many are waiting */
  async take(): Promise<(() => void) | null> {
    if (this.#free > 0) this.#free--
    else {
      if (this.#waiting.length >= this.#maxWaiting) return null
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
