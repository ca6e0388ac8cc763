/** A request body that is being received or processed. */
export interface HeldBody {
  /** Counts received bytes of this body. If all bodies together exceed the budget, cuts off this body or others. */
  add(bytes: number): void
  /** Marks the body as received, so that it is not cut off. Its bytes count towards the budget until `release`. */
  complete(): void
  /** Frees the bytes. Idempotent. */
  release(): void
}

interface Holding {
  caller: string
  bytes: number
  cut: () => void
  isComplete: boolean
}

/**
 * Limits the total size of the request bodies that the process holds at once. If the total exceeds the limit, the
 * budget finds the caller whose bodies have the most bytes, and cuts off the oldest unfinished body of this caller. So
 * during an attack, the attacker's requests fail, and other callers are not affected.
 */
export class BodyBudget {
  readonly #limit: number
  readonly #holdings = new Set<Holding>()
  #held = 0

  /** @param limit maximum number of bytes */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Bytes held now. */
  get held(): number {
    return this.#held
  }

  /**
   * Starts counting a body.
   *
   * @param caller the account, or the network address of a caller without a credential
   * @param cut called at most once, when the body must be cut off
   */
  hold(caller: string, cut: () => void): HeldBody {
    const holding: Holding = { caller, bytes: 0, cut, isComplete: false }
    this.#holdings.add(holding)
    return {
      add: bytes => {
        if (!this.#holdings.has(holding)) return
        holding.bytes += bytes
        this.#held += bytes
        while (this.#held > this.#limit) {
          const dropped = this.#heaviest()
          this.#forget(dropped)
          dropped.cut()
        }
      },
      complete: () => {
        holding.isComplete = true
      },
      release: () => this.#forget(holding),
    }
  }

  /** Returns the body to cut off. There is always an unfinished body: the one that has just received bytes. */
  #heaviest(): Holding {
    const byCaller = new Map<string, { bytes: number; first?: Holding }>()
    for (const holding of this.#holdings) {
      const sum = byCaller.get(holding.caller) ?? { bytes: 0 }
      byCaller.set(holding.caller, sum)
      sum.bytes += holding.bytes
      if (!holding.isComplete && holding.bytes > 0) sum.first ??= holding
    }
    const candidates = byCaller.values().filter(({ first }) => first !== undefined)
    return candidates.reduce((most, sum) => (sum.bytes > most.bytes ? sum : most)).first!
  }

  #forget(holding: Holding) {
    if (this.#holdings.delete(holding)) this.#held -= holding.bytes
  }
}
