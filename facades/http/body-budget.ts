/** One request body that is being received or worked on. */
export interface HeldBody {
  /** Counts bytes that arrived. May cut off this body or others. */
  add(bytes: number): void
  /** Frees the bytes. Idempotent. */
  release(): void
}

interface Holding {
  caller: string
  bytes: number
  cut: () => void
}

/**
 * Bounds the bytes of request bodies that the process holds at once. Above the limit, it cuts off the oldest body of
 * the caller who holds the most bytes. An attack therefore fails the attacker's own requests, not those of others.
 */
export class BodyBudget {
  readonly #limit: number
  readonly #holdings = new Set<Holding>()
  #held = 0

  /** @param limit in bytes */
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
   * @param caller the credential, or the network address of a caller without a credential
   * @param cut called at most once, when the body must be cut off
   */
  hold(caller: string, cut: () => void): HeldBody {
    const holding: Holding = { caller, bytes: 0, cut }
    this.#holdings.add(holding)
    return {
      add: bytes => {
        if (!this.#holdings.has(holding)) return
        holding.bytes += bytes
        this.#held += bytes
        while (this.#held > this.#limit) this.#drop(this.#heaviest())
      },
      release: () => this.#forget(holding),
    }
  }

  #heaviest(): Holding {
    const byCaller = new Map<string, number>()
    for (const { caller, bytes } of this.#holdings) byCaller.set(caller, (byCaller.get(caller) ?? 0) + bytes)
    const [heaviest] = [...byCaller].reduce((most, entry) => (entry[1] > most[1] ? entry : most))
    return this.#holdings.values().find(({ caller, bytes }) => caller === heaviest && bytes > 0)!
  }

  #drop(holding: Holding) {
    this.#forget(holding)
    holding.cut()
  }

  #forget(holding: Holding) {
    if (this.#holdings.delete(holding)) this.#held -= holding.bytes
  }
}
